const SYMLINK = 0o120000

/** Whether a mode is of a symbolic link. */
export const isLink = (mode: number): boolean => (mode & 0o170000) === SYMLINK

/** Whether a mode is of a submodule. */
export const isSubmodule = (mode: number): boolean => (mode & 0o170000) === 0o160000
