/** One turn: what ours took, and what the plain thing took right before or after it. */
export interface Measured {
  ours: number
  plain: number
}

export interface Figure {
  /** Ours / what it is compared with. */
  name: string
  /** It does not vary. */
  isExact?: boolean
  /** So many turns are not counted: the code is compiled for its work in them. */
  warmUps?: number
  measure(): Promise<Measured>
  end?(): Promise<void>
}

/** The least of each: other work on the machine only ever adds. */
export function ratioOf(taken: Measured[]): number {
  return Math.min(...taken.map(({ ours }) => ours)) / Math.min(...taken.map(({ plain }) => plain))
}

/** CPU milliseconds of this process, all of its threads included. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
