import zlib from 'node:zlib'
import { GLANCE_ROWS, kinds, lineRecords, type Survey, withDatabase } from '../coverage/survey.ts'
import { object, parsed } from '../json.ts'
import { ENTRIES_IGNORED, ENTRIES_USED, entrySeen } from '../pi/survey.ts'

export const survey: Survey = {
  used: kinds(ENTRIES_USED),
  ignored: kinds(ENTRIES_IGNORED),
  *records({ path: file, growth }, glance) {
    if (growth !== 'database') {
      for (const entry of lineRecords(file, glance)) yield* entrySeen(entry)
      return
    }
    yield* withDatabase(file, function* (db) {
      const rows = db.prepare('SELECT * FROM transcript_events ORDER BY rowid DESC LIMIT ?')
      for (const { event_json: text, event_zstd: packed } of rows.iterate(glance ? GLANCE_ROWS : -1)) {
        const bytes = packed instanceof Uint8Array ? zlib.zstdDecompressSync(packed).toString('utf8') : text
        yield* entrySeen(object(parsed(bytes)) ?? {})
      }
    })
  },
}
