import fs from 'node:fs'
import type { Counts, Overview } from '../archive.ts'
import type { Connection } from './connection.ts'

export function counts({ prepare }: Connection): Counts {
  const rows = prepare(
    `SELECT source, count(*) AS chats, sum(messages) AS messages, sum(requests) AS requests, max(updated_at) AS newest
     FROM chat WHERE (messages > 0) = 1 GROUP BY source`,
  ).all()
  const problems = prepare(
    'SELECT source, count(*) AS problems FROM problem JOIN unit ON unit.key = problem.unit GROUP BY source',
  ).all()
  const names = new Set([...rows, ...problems].map((row) => String(row.source)))
  const sources = [...names].sort().map((source) => {
    const row = rowOf(rows, source)
    return {
      source,
      chats: Number(row?.chats ?? 0),
      messages: Number(row?.messages ?? 0),
      requests: Number(row?.requests ?? 0),
      problems: Number(rowOf(problems, source)?.problems ?? 0),
      newestAt: (row?.newest as number | null | undefined) ?? undefined,
    }
  })
  return {
    sources,
    chats: sources.reduce((all, each) => all + each.chats, 0),
    messages: sources.reduce((all, each) => all + each.messages, 0),
    lastSyncAt: prepare(`SELECT value FROM setting WHERE name = 'lastSyncAt'`).get()?.value as
      | number
      | undefined,
  }
}

export function overview(connection: Connection): Overview {
  const { prepare, file, readOnly } = connection
  const counted = counts(connection)
  const units = prepare(
    'SELECT source, count(*) AS files, max(read_at) AS read_at FROM unit GROUP BY source',
  ).all()
  const names = new Set([...counted.sources, ...units].map((each) => String(each.source)))
  const none = { chats: 0, messages: 0, requests: 0, problems: 0 }
  const sources = [...names].sort().map((source) => {
    const files = rowOf(units, source)
    return {
      ...(counted.sources.find((each) => each.source === source) ?? { source, ...none }),
      files: Number(files?.files ?? 0),
      lastSyncAt: (files?.read_at as number | null | undefined) ?? undefined,
    }
  })
  return {
    ...counted,
    sources,
    forgotten: Number(prepare('SELECT count(*) AS n FROM forgotten').get()!.n),
    bytes: ['', '-wal', '-shm'].reduce(
      (all, end) => all + (fs.statSync(file + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    path: file,
    ...(readOnly && { readOnly }),
  }
}

function rowOf(rows: Record<string, unknown>[], source: string): Record<string, unknown> | undefined {
  return rows.find((row) => row.source === source)
}
