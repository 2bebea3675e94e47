import { version } from '@/package.json'

/** What compares. The number behind the version is raised by hand whenever a comparison or a derivation gives something else than before: all checks are due then. */
export const COMPARED_BY = `${version}+3`
