import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { CliFailure, EXIT_CODES } from './exit-codes'
import type { ExitName } from './exit-codes'
import { createOutput } from './output'
import type { Output } from './output'
import { programPath, programVersion } from './program-path'
import type { NewSource } from './admin/connections'
import type { NewPerson } from './admin/people'
import type { NewToken } from './admin/tokens'
import { FORMATS } from './ci-summary/formats'
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
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.')
  return Number(text)
}

function count(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const collected = (value: string, before: string[] = []): string[] => [...before, value]

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It must be a number of seconds.')
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
    .description('Inspect failed executions of AI agents.')
    .version(programVersion(io.program), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.out.write(text),
      writeErr: (text) => void io.err.write(text),
    })
    .showHelpAfterError('(run inquest --help for a list of commands)')
    .addHelpText(
      'after',
      `\nUses the server in INQUEST_URL and INQUEST_TOKEN, or else the one running on this machine.\nExit statuses: ${exitLine()}`,
    )

  const verb = (parent: Command, usage: string, description: string): Command =>
    parent
      .command(usage)
      .description(description)
      .option('--json', 'print one JSON document per line to stdout')
      .copyInheritedSettings(program)

  verb(program, 'up', 'start the dashboard: database, migrations, server')
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

  verb(program, 'import [paths...]', 'import agent transcripts and streams; safe to repeat')
    .option('--claude', 'also import the agent history of this machine (~/.claude/projects)', false)
    .option('--watch', 'keep running and send new data as files grow', false)
    .option('--dry-run', 'show what would be sent, without sending it', false)
    .option('--source <name>', 'source name (default: the name of this machine)')
    .option('--project <slug>', 'target project')
    .addOption(
      new Option('--patience <seconds>', 'how long to wait for an unreachable server')
        .default(60)
        .argParser(seconds),
    )
    .action((paths: string[], options: ImportFlags) =>
      run(options.json === true, async (output) => {
        const { runImport } = await import('./import/run-import')
        return runImport({ ...options, paths, patienceS: options.patience }, io.env, output, io.signal)
      }),
    )

  verb(program, 'hook', 'read one hook frame from stdin, or install the hook in Claude Code')
    .option('--install', 'install the hook in a settings file')
    .option('--uninstall', 'remove the hook')
    .option('--print', 'print the settings without changing any file')
    .option('--project', 'your settings for the current folder, .claude/settings.local.json (default)')
    .option('--shared', 'the shared settings of the current folder, .claude/settings.json')
    .option('--user', 'your settings for all folders, ~/.claude/settings.json')
    .option('--events <names>', 'only these events, comma-separated')
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
  verb(
    program,
    'record [command...]',
    'run the command after --, record it and send the record; see record --help',
  )

  verb(
    program,
    'verify <file>',
    'verify receipt chains offline: receipts.db, JSON, JSON Lines or an exported file; - reads stdin',
  )
    .addOption(
      new Option(
        '--key <key>',
        'trusted public key at the start of a chain: a file, PEM, u… or did:key:…; repeatable',
      ).argParser(collected),
    )
    .option('--current <key>', 'the key that the last rotation of a chain must lead to')
    .option('--file-keys', 'use the keys in an exported file; compare their fingerprints')
    .option('--chain <id>', 'only this chain')
    .addOption(new Option('--length <n>', 'required number of receipts in the chain').argParser(count))
    .option('--final-hash <hash>', 'required hash of the last receipt')
    .option('--require-terminal', 'require an end marker in the chain')
    .option('--checkpoints <file>', 'signed checkpoints that the chain must match')
    .option('--rows', 'with --json: include the result for each receipt')
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

  verb(program, 'ci-summary', 'report what failed in a CI run: annotations, and a summary with links')
    .addOption(
      new Option('--format <format>', 'log format (default: that of the CI system)').choices(FORMATS),
    )
    .option('--job <name>', 'only this job (default: the whole run)')
    .option('--provider <name>', 'provider of the run (default: from the environment, as the next three)')
    .option('--path <path>', "the provider's path of the project")
    .option('--run <id>', 'number of the run')
    .addOption(
      new Option('--attempt <n>', 'attempt of the run').argParser((text) => String(wholeNumber(text))),
    )
    .option('--project <slug>', 'only this project')
    .option(
      '--output <file>',
      'where the summary goes as Markdown; - is standard output (default: $GITHUB_STEP_SUMMARY, else standard output)',
    )
    .option(
      '--annotations <file>',
      'also write links for the job page in GitLab’s format (artifacts:reports:annotations)',
    )
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for running executions').default(0).argParser(seconds),
    )
    .action((options: Json & CiSummaryFlags) =>
      run(options.json === true, async (output) =>
        (await import('./ci-summary/run-ci-summary')).runCiSummary(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'skill <name>', 'print instructions for an agent: failure-signal').action(
    (name: string, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./skill/print-skill')).printSkill(name, io.env, output),
      ),
  )

  const token = program.command('token').description('manage API keys').copyInheritedSettings(program)
  verb(token, 'create', 'create an API key; it is shown only once')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--scope <scopes...>', 'permissions; CI, hooks and record need only ingest')
        .choices(['ingest', 'read', 'write'])
        .default(['ingest']),
    )
    .option('--project <slug>', 'its project')
    .addOption(new Option('--days <days>', 'days until it expires (default: never)').argParser(wholeNumber))
    .action((options: Json & NewToken) =>
      run(options.json === true, async (output) =>
        (await import('./admin/tokens')).createToken(options, io.env, output),
      ),
    )
  verb(token, 'list', 'list API keys without their secrets').action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/tokens')).listTokens(io.env, output)),
  )
  verb(token, 'revoke <id>', 'revoke an API key').action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/tokens')).revokeToken(id, io.env, output),
    ),
  )

  const user = program.command('user').description('manage people and roles').copyInheritedSettings(program)
  const role = (): Option =>
    new Option('--role <role>', 'their role').choices(['viewer', 'operator', 'reviewer', 'admin'])
  verb(user, 'list', 'list people').action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/people')).listPeople(io.env, output)),
  )
  verb(user, 'invite <email>', 'create a one-time invitation link')
    .addOption(role().default('viewer'))
    .option('--name <name>', 'their name')
    .option('--project <slug>', 'project the role applies to')
    .action((email: string, options: Json & NewPerson) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).invitePerson(email, options, io.env, output),
      ),
    )
  verb(
    user,
    'link [email]',
    'create a password reset link; without EMAIL, a link for the first admin',
  ).action((email: string | undefined, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/people')).makeLink(email ?? null, io.env, output),
    ),
  )
  verb(user, 'role <email>', 'change a role')
    .addOption(role().makeOptionMandatory())
    .option('--project <slug>', 'project the role applies to')
    .action((email: string, options: Json & { role: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).changeRole(email, options, io.env, output),
      ),
    )
  verb(user, 'remove <email>', 'remove a person from the project').action((email: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/people')).removePerson(email, io.env, output),
    ),
  )

  const source = program
    .command('source')
    .description('manage servers that Inquest polls for executions')
    .copyInheritedSettings(program)
  verb(source, 'add', 'connect a NoETL server; reads its credential from stdin or INQUEST_SOURCE_CREDENTIAL')
    .requiredOption('--name <name>', 'name of the source')
    .requiredOption('--address <url>', 'address of the server, without /api')
    .option('--header <name>', 'header for the credential', 'Authorization')
    .option('--credential-stdin', 'read the credential from stdin')
    .option('--allow-private', 'allow a server in a private network or on this machine')
    .addOption(
      new Option('--interval <seconds>', 'seconds between two polls (default: 60)').argParser(wholeNumber),
    )
    .option('--project <slug>', 'its project')
    .action((options: Json & NewSource) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).addSource(options, io.env, output, process.stdin),
      ),
    )
  verb(source, 'list', 'list connections and their status, without credentials').action((options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/connections')).listSources(io.env, output),
    ),
  )
  verb(source, 'check <id>', 'test a connection and show the result')
    .option('--run <id>', 'also fetch this execution, without storing it')
    .action((id: string, options: Json & { run?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).checkSource(id, options.run, io.env, output),
      ),
    )
  verb(source, 'remove <id>', 'remove a connection and delete its credential').action(
    (id: string, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).removeSource(id, io.env, output),
      ),
  )

  verb(program, 'parity <id>', 'compare an execution with its raw records').action(
    (id: string, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./parity/run-parity')).runParity(id, io.env, output),
      ),
  )

  const fix = program
    .command('fix')
    .description('download, apply and propose patches')
    .copyInheritedSettings(program)
  verb(fix, 'get <id>', 'download a patch and check its digest')
    .option('--output <file>', 'output file; - writes to stdout (default: the name that the server suggests)')
    .action((id: string, options: Json & FixGetFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-get')).runFixGet(id, options, io, output),
      ),
    )
  verb(
    fix,
    'apply <id>',
    'apply a patch to the current repository if its tree is clean and every hunk fits; commits nothing',
  )
    .option('--check', 'check whether the patch applies, without changing anything')
    .option('--dirty', 'allow uncommitted changes in files that the patch does not touch')
    .option('--anyway', 'apply the fix even if it is rejected, superseded or expired')
    .action((id: string, options: Json & FixApplyFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-apply')).runFixApply(id, options, io.env, output),
      ),
    )
  verb(fix, 'propose <file>', 'propose a patch for a failed execution; - reads stdin')
    .requiredOption('--execution <id>', 'any ID of the execution to fix')
    .option('--task <name>', 'task within the execution')
    .option('--title <text>', 'one-line summary')
    .option('--supersedes <id>', 'the fix it replaces')
    .option('--transcript <file>', 'transcript of the agent')
    .option('--proposal <file>', 'JSON file with base, budget, agent and evidence')
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

  verb(program, 'reingest', 'rebuild all executions from their raw records')
    .option('--execution <id>', 'only this execution')
    .option('--project <slug>', 'only this project')
    .action((options: Json & { execution?: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/reingest')).runReingest(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'doctor', 'check the setup and suggest fixes').action((options: Json) =>
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
  patience: number
}

const exitLine = (): string =>
  Object.entries(EXIT_CODES)
    .map(([name, { code }]) => `${code} ${name}`)
    .join(', ')
