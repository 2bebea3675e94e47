/**
 * How the command line is started where the path of the program is not known. Never `npx`: outside the clone that runs whatever somebody
 * registers under the name, with the key in its environment.
 */
export const PROGRAM_PLACEHOLDER = 'node /path/to/inquest/bin/inquest.cjs'
