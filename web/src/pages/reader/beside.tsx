import type { FileTouch } from '../../../../src/model/chat.ts'
import { useFormat } from '../../lib/format.ts'
import type { Citation, ShownMessage } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Code } from '../../ui/code.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PICTURES, Picture } from './picture.tsx'
import { words } from './words.ts'

type Shown = NonNullable<ShownMessage['attachments']>[number]

/** What was attached: pictures as they are, of the rest its name and size, and its text where that is known. */
export function Attachments({ attachments, at }: { attachments: Shown[]; at: number }) {
  const format = useFormat()
  return (
    <ul className="attachments">
      {attachments.map((attachment, number) => {
        const { name, type, mimeType, bytes, text, path, data, held } = attachment
        const isImage = type === 'image' || mimeType?.startsWith('image/')
        const isShown = isImage && (data !== undefined || held) && PICTURES.test(mimeType ?? 'image/png')
        const label = (
          <>
            <Icon name={isImage ? 'image' : 'file'} />
            <span className="one-line" title={path ?? name}>
              {name}
            </span>
            {bytes !== undefined && <span className="faint">{format.bytes(bytes)}</span>}
          </>
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice
          <li key={number} className="attachment">
            {isShown ? (
              <Picture attachment={attachment} at={at} number={number} />
            ) : text ? (
              <Fold summary={label}>{() => <Code bare text={text} />}</Fold>
            ) : (
              <span className="chip">{label}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function Citations({ citations }: { citations: Citation[] }) {
  const { citations: title } = useWords(words)
  return (
    <ul className="citations" aria-label={title}>
      {citations.map(({ url, path, title, text }, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one place may be cited twice
        <li key={number}>
          {url && /^https?:/i.test(url) ? (
            <a href={url} target="_blank" rel="noreferrer noopener" title={url}>
              {title ?? url}
            </a>
          ) : (
            <span title={text}>{title ?? path ?? text}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

export function Files({ files, folder }: { files: FileTouch[]; folder?: string }) {
  const w = useWords(words)
  return (
    <ul className="attachments" aria-label={w.files}>
      {files.map(({ path, action }) => (
        <li key={`${action} ${path}`} className="attachment">
          <span className="chip" title={path}>
            <Icon name="file" />
            <span className="one-line">
              {folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path}
            </span>
            <span className="faint">{w[action]}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
