/** Joins class names; falsy ones fall away. */
export const cn = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
