import { limits } from '../../limits'
import { anyAt, asObject, noteWrong, textAt, type JsonObject, type Notes } from './wire'

export interface ContentBlock {
  index: number
  /** JSON pointer within the record. */
  path: string
  block: JsonObject
  type: string | null
}

/** The content of a message: a text, or its blocks. What is neither is noted and left out. */
export function readContentBlocks(message: JsonObject | null, notes: Notes): string | ContentBlock[] {
  const content = message === null ? undefined : anyAt(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) {
    if (message === null) noteWrong(notes, '/message', 'missing')
    else noteWrong(notes, '/message/content', 'not_text_or_list')
    return []
  }
  if (content.length > limits.messageBlocksMax) {
    notes.tooMany = { what: 'blocks', count: content.length, max: limits.messageBlocksMax }
    return []
  }
  const blocks: ContentBlock[] = []
  for (const [index, value] of content.entries()) {
    const path = `/message/content/${index}`
    const block = asObject(value)
    if (block === null) noteWrong(notes, path, 'not_object')
    else blocks.push({ index, path, block, type: textAt(block, 'type', notes, path) })
  }
  return blocks
}
