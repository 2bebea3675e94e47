/** Whether a value is what a server writes in the place of a secret. */
export const isMaskText = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:\*{3,}|[[<(*]*(?:redacted|masked|hidden|filtered)[\])>*]*)$/i.test(value)
