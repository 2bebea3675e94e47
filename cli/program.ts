import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { helpText } from '@/lib/words/cli/help'
import { readStepConclusion, type StepConclusion } from '@/lib/model/step-conclusion'
import { CliFailure, EXIT_CODES } from './exit-codes'
import type { ExitName } from './exit-codes'
import { createOutput } from './output'
import type { Output } from './output'
import { programPath, programVersion } from './program-path'
import type { NewSource } from './admin/connections'
import type { NewPerson } from './admin/people'
import type { NewToken } from './admin/tokens'
import { FORMATS } from './ci-summary/formats'
import { ANNOTATIONS } from './explain/inert'
import type { ExplainFlags } from './explain/run-explain'
import type { CiSummaryFlags } from './ci-summary/run-ci-summary'
import type { FixApplyFlags } from './fix/run-fix-apply'
import type { FixGetFlags } from './fix/run-fix-get'
import type { FixProposeFlags } from './fix/run-fix-propose'
import type { HookFlags } from './hook/run-hook-settings'
import type { Environment } from './settings'
import type { VerifyFlags } from './verify/run-verify'

export interface ProgramIo {
  /** The file that was started. */
  program: string
  env: Environment
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
  signal: AbortSignal
}

/** A number is a status of the verb's own. */
type Verb = (output: Output, io: ProgramIo) => Promise<ExitName | number | void>

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError(helpText.positiveWholeNumber)
  return Number(text)
}

function count(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(helpText.wholeNumber)
  return Number(text)
}

/** Null, of which the parser makes an empty text: the CI system has no word for it. */
function conclusion(word: string): StepConclusion | null {
  const read = readStepConclusion(word)
  if (read === undefined) throw new InvalidArgumentError(helpText.conclusion)
  return read
}

const collected = (value: string, before: string[] = []): string[] => [...before, value]

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError(helpText.seconds)
  return value
}

/**
 * Runs one command line to its end and answers the exit status. Each verb is loaded when it is asked for. What goes wrong
 * is one line on standard error, and with `--json` also a document on standard output.
 */
export async function runProgram(argv: string[], io: ProgramIo = processIo()): Promise<number> {
  // It reads its words itself, and its status is that of a command. Started by its name it has a bundle of its own.
  if (argv[0] === 'record') return (await import('./record/run-record')).runRecord(argv.slice(1), io.env, io)
  let exit: ExitName | number = 'fine'
  const program = buildProgram(io, async (json, verb) => {
    const output = createOutput(json, io.out, io.err)
    try {
      exit = (await verb(output, io)) ?? 'fine'
    } catch (error) {
      if (io.signal.aborted) exit = 'interrupted'
      else if (error instanceof CliFailure) {
        exit = error.exit
        output.note(`inquest: ${error.message}`)
        output.record({ ...error.document, error: error.message, exit: EXIT_CODES[error.exit].code })
      } else throw error
    }
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT_CODES.fine.code : EXIT_CODES.usage.code
    io.err.write(`inquest: internal error: ${(error as Error).stack ?? String(error)}\n`)
    return EXIT_CODES.failed.code
  }
  return typeof exit === 'number' ? exit : EXIT_CODES[exit].code
}

function processIo(): ProgramIo {
  const stop = new AbortController()
  // The first Ctrl-C ends the work in good order, the second ends it at once.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXIT_CODES.interrupted.code)
      stop.abort()
    })
  }
  // A reader that closes early, such as `head`, is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.fine.code)
    throw error
  })
  return {
    program: programPath(),
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    signal: stop.signal,
  }
}

function buildProgram(io: ProgramIo, run: (json: boolean, verb: Verb) => Promise<void>): Command {
  const program = new Command('inquest')
    .description(helpText.about)
    .version(programVersion(io.program), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.out.write(text),
      writeErr: (text) => void io.err.write(text),
    })
    .showHelpAfterError(helpText.seeHelp)
    .addHelpText('after', helpText.serverAndStatuses({ statuses: exitLine() }))

  const verb = (parent: Command, usage: string, description: string): Command =>
    parent
      .command(usage)
      .description(description)
      .option('--json', helpText.json)
      .copyInheritedSettings(program)

  verb(program, 'up', helpText.up)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[arguments...]')
    .action(async (rest: string[], options: { json?: boolean }) => {
      const [{ runUp }, { followSpool }] = await Promise.all([
        import('@/server/up'),
        import('./hook/follow-spool'),
      ])
      // The server has its own end of Ctrl-C, with a database to stop.
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
      await runUp([...rest, ...(options.json ? ['--json'] : [])], io.program, (server, say) =>
        followSpool(server, io.env, say),
      )
    })

  verb(program, 'import [paths...]', helpText.import)
    .option('--claude', helpText.importClaude, false)
    .option('--watch', helpText.importWatch, false)
    .option('--dry-run', helpText.importDryRun, false)
    .option('--source <name>', helpText.importSource)
    .option('--project <slug>', helpText.importProject)
    .option('--ci', helpText.importCi, false)
    .addOption(new Option('--conclusion <word>', helpText.importConclusion).argParser(conclusion))
    .addOption(new Option('--patience <seconds>', helpText.importPatience).default(60).argParser(seconds))
    .action((paths: string[], options: ImportFlags) =>
      run(options.json === true, async (output) => {
        const { runImport } = await import('./import/run-import')
        return runImport({ ...options, paths, patienceS: options.patience }, io.env, output, io.signal)
      }),
    )

  verb(program, 'hook', helpText.hook)
    .option('--install', helpText.hookInstall)
    .option('--uninstall', helpText.hookUninstall)
    .option('--print', helpText.hookPrint)
    .option('--project', helpText.hookProject)
    .option('--shared', helpText.hookShared)
    .option('--user', helpText.hookUser)
    .option('--events <names>', helpText.hookEvents)
    .action((options: HookFlags) =>
      run(options.json === true, async (output) => {
        if (!options.install && !options.uninstall && !options.print) {
          const { runHook } = await import('./hook/run-hook')
          return runHook(io.env)
        }
        const { runHookSettings } = await import('./hook/run-hook-settings')
        return runHookSettings(options, io, output)
      }),
    )

  // Never reached: see `runProgram`.
  verb(program, 'record [command...]', helpText.record)

  verb(program, 'verify <file>', helpText.verify)
    .addOption(new Option('--key <key>', helpText.verifyKey).argParser(collected))
    .option('--current <key>', helpText.verifyCurrent)
    .option('--file-keys', helpText.verifyFileKeys)
    .option('--chain <id>', helpText.verifyChain)
    .addOption(new Option('--length <n>', helpText.verifyLength).argParser(count))
    .option('--final-hash <hash>', helpText.verifyFinalHash)
    .option('--require-terminal', helpText.verifyRequireTerminal)
    .option('--checkpoints <file>', helpText.verifyCheckpoints)
    .option('--rows', helpText.verifyRows)
    .action((file: string, options: Json & VerifyFlags) =>
      run(options.json === true, async (output) =>
        (await import('./verify/run-verify')).runVerify(
          file,
          options,
          { ...io, stdin: process.stdin },
          output,
        ),
      ),
    )

  verb(program, 'ci-summary', helpText.ciSummary)
    .addOption(new Option('--format <format>', helpText.ciSummaryFormat).choices(FORMATS))
    .option('--job <name>', helpText.ciSummaryJob)
    .option('--provider <name>', helpText.ciSummaryProvider)
    .option('--path <path>', helpText.ciSummaryPath)
    .option('--run <id>', helpText.ciSummaryRun)
    .addOption(
      new Option('--attempt <n>', helpText.ciSummaryAttempt).argParser((text) => String(wholeNumber(text))),
    )
    .option('--project <slug>', helpText.ciSummaryProject)
    .option('--output <file>', helpText.ciSummaryOutput)
    .option('--annotations <file>', helpText.ciSummaryAnnotations)
    .addOption(new Option('--wait <seconds>', helpText.ciSummaryWait).default(0).argParser(seconds))
    .action((options: Json & CiSummaryFlags) =>
      run(options.json === true, async (output) =>
        (await import('./ci-summary/run-ci-summary')).runCiSummary(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'redact <file>', helpText.redact)
    .requiredOption('--output <file>', helpText.redactOutput)
    .action((file: string, options: Json & { output: string }) =>
      run(options.json === true, async (output) =>
        (await import('./redact/run-redact')).runRedact(file, options, output),
      ),
    )

  verb(program, 'explain <files...>', helpText.explain)
    .option('--markdown', helpText.explainMarkdown, false)
    .addOption(new Option('--annotations <provider>', helpText.explainAnnotations).choices(ANNOTATIONS))
    .option('--exit-code', helpText.explainExitCode, false)
    .addOption(new Option('--conclusion <word>', helpText.explainConclusion).argParser(conclusion))
    .action((files: string[], options: Json & ExplainFlags) =>
      run(options.json === true, async (output) =>
        (await import('./explain/run-explain')).runExplain(
          files,
          options,
          { ...io, stdin: process.stdin },
          output,
        ),
      ),
    )

  verb(program, 'skill <name>', helpText.skill).action((name: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./skill/print-skill')).printSkill(name, io.env, output),
    ),
  )

  const token = program.command('token').description(helpText.tokenGroup).copyInheritedSettings(program)
  verb(token, 'create', helpText.tokenCreate)
    .requiredOption('--name <name>', helpText.tokenCreateName)
    .addOption(
      new Option('--scope <scopes...>', helpText.tokenCreateScope)
        .choices(['ingest', 'read', 'write'])
        .default(['ingest']),
    )
    .option('--project <slug>', helpText.tokenCreateProject)
    .addOption(new Option('--days <days>', helpText.tokenCreateDays).argParser(wholeNumber))
    .action((options: Json & NewToken) =>
      run(options.json === true, async (output) =>
        (await import('./admin/tokens')).createToken(options, io.env, output),
      ),
    )
  verb(token, 'list', helpText.tokenList).action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/tokens')).listTokens(io.env, output)),
  )
  verb(token, 'revoke <id>', helpText.tokenRevoke).action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/tokens')).revokeToken(id, io.env, output),
    ),
  )

  const user = program.command('user').description(helpText.userGroup).copyInheritedSettings(program)
  const role = (): Option =>
    new Option('--role <role>', helpText.roleOption).choices(['viewer', 'operator', 'reviewer', 'admin'])
  verb(user, 'list', helpText.userList).action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/people')).listPeople(io.env, output)),
  )
  verb(user, 'invite <email>', helpText.userInvite)
    .addOption(role().default('viewer'))
    .option('--name <name>', helpText.userInviteName)
    .option('--project <slug>', helpText.userInviteProject)
    .action((email: string, options: Json & NewPerson) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).invitePerson(email, options, io.env, output),
      ),
    )
  verb(user, 'link [email]', helpText.userLink).action((email: string | undefined, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/people')).makeLink(email ?? null, io.env, output),
    ),
  )
  verb(user, 'role <email>', helpText.userRole)
    .addOption(role().makeOptionMandatory())
    .option('--project <slug>', helpText.userInviteProject)
    .action((email: string, options: Json & { role: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).changeRole(email, options, io.env, output),
      ),
    )
  verb(user, 'remove <email>', helpText.userRemove).action((email: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/people')).removePerson(email, io.env, output),
    ),
  )

  const source = program.command('source').description(helpText.sourceGroup).copyInheritedSettings(program)
  verb(source, 'add', helpText.sourceAdd)
    .requiredOption('--name <name>', helpText.sourceAddName)
    .requiredOption('--address <url>', helpText.sourceAddAddress)
    .option('--header <name>', helpText.sourceAddHeader, 'Authorization')
    .option('--credential-stdin', helpText.sourceAddCredentialStdin)
    .option('--allow-private', helpText.sourceAddAllowPrivate)
    .addOption(new Option('--interval <seconds>', helpText.sourceAddInterval).argParser(wholeNumber))
    .option('--project <slug>', helpText.tokenCreateProject)
    .action((options: Json & NewSource) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).addSource(options, io.env, output, process.stdin),
      ),
    )
  verb(source, 'list', helpText.sourceList).action((options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/connections')).listSources(io.env, output),
    ),
  )
  verb(source, 'check <id>', helpText.sourceCheck)
    .option('--run <id>', helpText.sourceCheckRun)
    .action((id: string, options: Json & { run?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).checkSource(id, options.run, io.env, output),
      ),
    )
  verb(source, 'remove <id>', helpText.sourceRemove).action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/connections')).removeSource(id, io.env, output),
    ),
  )

  verb(program, 'parity <id>', helpText.parity).action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./parity/run-parity')).runParity(id, io.env, output),
    ),
  )

  const fix = program.command('fix').description(helpText.fixGroup).copyInheritedSettings(program)
  verb(fix, 'get <id>', helpText.fixGet)
    .option('--output <file>', helpText.fixGetOutput)
    .action((id: string, options: Json & FixGetFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-get')).runFixGet(id, options, io, output),
      ),
    )
  verb(fix, 'apply <id>', helpText.fixApply)
    .option('--check', helpText.fixApplyCheck)
    .option('--dirty', helpText.fixApplyDirty)
    .option('--anyway', helpText.fixApplyAnyway)
    .action((id: string, options: Json & FixApplyFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-apply')).runFixApply(id, options, io.env, output),
      ),
    )
  verb(fix, 'propose <file>', helpText.fixPropose)
    .requiredOption('--execution <id>', helpText.fixProposeExecution)
    .option('--task <name>', helpText.fixProposeTask)
    .option('--title <text>', helpText.fixProposeTitle)
    .option('--supersedes <id>', helpText.fixProposeSupersedes)
    .option('--transcript <file>', helpText.fixProposeTranscript)
    .option('--proposal <file>', helpText.fixProposeProposal)
    .action((file: string, options: Json & FixProposeFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-propose')).runFixPropose(
          file,
          options,
          { ...io, stdin: process.stdin },
          output,
        ),
      ),
    )

  verb(program, 'reingest', helpText.reingest)
    .option('--execution <id>', helpText.reingestExecution)
    .option('--project <slug>', helpText.ciSummaryProject)
    .action((options: Json & { execution?: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/reingest')).runReingest(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'doctor', helpText.doctor).action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/doctor')).runDoctor(io, output)),
  )
  return program
}

interface Json {
  json?: boolean
}

interface ImportFlags extends Json {
  claude: boolean
  watch: boolean
  dryRun: boolean
  source?: string
  project?: string
  ci: boolean
  conclusion?: StepConclusion | null
  patience: number
}

const exitLine = (): string =>
  Object.entries(EXIT_CODES)
    .map(([name, { code }]) => `${code} ${name}`)
    .join(', ')
