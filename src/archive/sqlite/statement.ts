import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

/**
 * A prepared statement that gives rows of one shape. Node gives every row a shape of its own: making that, looking each
 * column up in it and cleaning it up takes two to five times as long as the values.
 */
export class Statement {
  readonly #statement: StatementSync
  #names: string[] | undefined

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true)
    this.#statement = statement
  }

  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']> {
    return this.#statement.run(...values)
  }

  get(...values: SQLInputValue[]): Row | undefined {
    const row = this.#statement.get(...values) as unknown as SQLOutputValue[] | undefined
    return row && this.#named(row)
  }

  all(...values: SQLInputValue[]): Row[] {
    const rows = this.lists(...values)
    return rows.map((row) => this.#named(row))
  }

  /** Rows as lists of their values, for many at once. */
  lists(...values: SQLInputValue[]): SQLOutputValue[][] {
    return this.#statement.all(...values) as unknown as SQLOutputValue[][]
  }

  *iterate(...values: SQLInputValue[]): Generator<Row, void> {
    for (const row of this.#statement.iterate(...values))
      yield this.#named(row as unknown as SQLOutputValue[])
  }

  #named(values: SQLOutputValue[]): Row {
    // Of `*` there are more when a newer version added some.
    if (this.#names?.length !== values.length) this.#names = this.#statement.columns().map(({ name }) => name)
    const names = this.#names
    const row: Row = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]!
    return row
  }
}
