/** `edit_no_match` → `edit no match`: codes of open lists, made readable without inventing words. */
export const codeWords = (code: string): string => code.replace(/[_-]+/g, ' ')
