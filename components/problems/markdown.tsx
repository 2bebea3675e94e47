import { type Block, type Inline, parseMarkdown } from './parse-markdown'

/** Draws our own documents, as elements: nothing in them is ever taken for HTML. */
export const Markdown = ({ text }: { text: string }) => (
  <article className="space-y-3 leading-relaxed">
    {parseMarkdown(text).map((block, index) => (
      <BlockView key={index} block={block} />
    ))}
  </article>
)

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const inline = <InlineView parts={block.inline} />
      return block.level === 1 ? (
        <h1 className="text-lg font-semibold">{inline}</h1>
      ) : block.level === 2 ? (
        <h2 className="pt-3 text-md font-semibold">{inline}</h2>
      ) : (
        <h3 className="pt-2 font-semibold">{inline}</h3>
      )
    }
    case 'list':
      return (
        <ul className="list-disc space-y-1 pl-5">
          {block.items.map((item, index) => (
            <li key={index}>
              <InlineView parts={item} />
            </li>
          ))}
        </ul>
      )
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="overflow-auto rounded border border-line bg-sunken px-3 py-2 font-mono text-sm"
        >
          {block.text}
        </pre>
      )
    case 'paragraph':
      return (
        <p>
          <InlineView parts={block.inline} />
        </p>
      )
  }
}

const InlineView = ({ parts }: { parts: Inline[] }) =>
  parts.map((part, index) => {
    switch (part.kind) {
      case 'code':
        return (
          <code key={index} className="rounded-sm bg-sunken px-1 font-mono text-[0.92em]">
            {part.text}
          </code>
        )
      case 'strong':
        return (
          <strong key={index} className="font-semibold">
            {part.text}
          </strong>
        )
      case 'link':
        return (
          <a key={index} href={part.href} className="link">
            {part.text}
          </a>
        )
      default:
        return part.text
    }
  })
