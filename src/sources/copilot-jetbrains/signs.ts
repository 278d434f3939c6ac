import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(
        ({ type, data }) =>
          (type === 'partition.created' && object(data)?.partitionId !== undefined) ||
          (type === 'user.message' && words(object(data)?.turnId) !== undefined),
      ),
    place: ({ name, lines }) => {
      const data = object(lines.find(({ type }) => type === 'partition.created')?.data)
      const id = safe(words(data?.conversationId) ?? stem(name))
      const number = /^partition-(\d{1,6})/.exec(name)?.[1] ?? String(data?.partitionId ?? 1)
      return { file: `${id}/partition-${/^\d{1,6}$/.test(number) ? number : 1}.jsonl` }
    },
  },
]
