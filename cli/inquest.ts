import { runProgram } from './program'

/** The program `inquest`; a plain `inquest hook` has its own, much smaller start in `hook/main.ts`. */
void runProgram(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
