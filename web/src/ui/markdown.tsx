import { type ComponentProps, isValidElement, memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Link } from 'wouter'
import { useWords } from '../lib/words.ts'
import { Boundary } from './boundary.tsx'
import { Code } from './code.tsx'
import { Diff } from './diff/diff.tsx'
import { isPatch, patchLines } from './diff/diff-lines.ts'
import { Drawing } from './drawn/drawing.tsx'
import { Formula } from './drawn/formula.tsx'
import { TEX, withFormulas } from './drawn/tex.ts'
import { Icon } from './icon.tsx'
import { words } from './words.ts'

/**
 * Text as assistants write it. Chats are other people's words: HTML stays text, links lead only to
 * the web, to mail or to a chat, and no picture is fetched.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      {/* What is nested too deeply to be laid out is shown as it was written: one such message must not take the others along. */}
      <Boundary instead={<p className="as-written">{text}</p>}>
        <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safeUrl}>
          {withFormulas(text)}
        </ReactMarkdown>
      </Boundary>
    </div>
  )
})

const PLUGINS = [remarkGfm]
const COMPONENTS: Components = {
  a: Anchor,
  code: InlineCode,
  img: Picture,
  pre: Block,
  table: ScrollingTable,
  input: TaskBox,
}

function safeUrl(url: string): string {
  return /^(https?:\/\/|mailto:|context:\/\/sessions\/)/i.test(url) ? url : ''
}

function Anchor({ href, children }: ComponentProps<'a'>) {
  // How agents cite a chat.
  const [, chat, message = ''] = /^context:\/\/sessions\/([^/?#]+?)(?:\.md)?(#m\d+)?$/i.exec(href ?? '') ?? []
  if (chat) return <Link href={`/chat/${chat}${message}`}>{children}</Link>
  if (!href) return <span className="dead-link">{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

function Picture({ alt }: ComponentProps<'img'>) {
  const { image, remoteImage } = useWords(words)
  return (
    <span className="picture" title={remoteImage}>
      <Icon name="image" />
      {alt || image}
    </span>
  )
}

/** Of a block, `pre` sees to it. */
function InlineCode({ children, className }: ComponentProps<'code'>) {
  const text = typeof children === 'string' ? children : ''
  if (text.startsWith(TEX)) return <Formula tex={text.slice(TEX.length)} />
  return <code className={className}>{children}</code>
}

function Block({ children }: ComponentProps<'pre'>) {
  const { language, text } = codeIn(children)
  if (language === 'mermaid') return <Drawing text={text} />
  if (language === 'math') return <Formula tex={text} display />
  if (language === 'diff' || language === 'patch' || isPatch(text))
    return <Diff lines={patchLines(text)} framed />
  return <Code text={text} language={language} />
}

function ScrollingTable({ children }: ComponentProps<'table'>) {
  return (
    <div className="markdown-table">
      <table>{children}</table>
    </div>
  )
}

function TaskBox({ checked }: ComponentProps<'input'>) {
  return (
    <span className="task-box" role="img" aria-label={checked ? '✓' : '–'}>
      {checked && <Icon name="check" />}
    </span>
  )
}

function codeIn(children: ReactNode): { text: string; language?: string } {
  const child = Array.isArray(children) ? children[0] : children
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child))
    return { text: String(child ?? '') }
  const language = /language-(\S+)/.exec(child.props.className ?? '')?.[1]
  const text = String(child.props.children ?? '').replace(/\n$/, '')
  return { text, language }
}
