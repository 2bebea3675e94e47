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
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above zero.')
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
    io.err.write(`inquest: something broke on our side: ${(error as Error).stack ?? String(error)}\n`)
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
    .showHelpAfterError('(inquest --help lists the verbs)')
    .addHelpText(
      'after',
      `\nThe server is the one INQUEST_URL and INQUEST_TOKEN name, else the one that runs on this machine.\nExit statuses: ${exitLine()}`,
    )

  const verb = (parent: Command, usage: string, description: string): Command =>
    parent
      .command(usage)
      .description(description)
      .option('--json', 'one JSON document a line on standard output')
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

  verb(program, 'import [paths...]', 'send transcripts and streams of agents; safe to repeat')
    .option('--claude', 'the agent history of this machine (~/.claude/projects) as well', false)
    .option('--watch', 'stay, and send what the files grow by', false)
    .option('--dry-run', 'say what would be sent, and send nothing', false)
    .option('--source <name>', 'name of the producer (default: the name of this machine)')
    .option('--project <slug>', 'project it goes to')
    .addOption(
      new Option('--patience <seconds>', 'how long the server may be away before the import gives up')
        .default(60)
        .argParser(seconds),
    )
    .action((paths: string[], options: ImportFlags) =>
      run(options.json === true, async (output) => {
        const { runImport } = await import('./import/run-import')
        return runImport({ ...options, paths, patienceS: options.patience }, io.env, output, io.signal)
      }),
    )

  verb(program, 'hook', 'take one hook frame on standard input, or connect the hook to Claude Code')
    .option('--install', 'connect it in a settings file')
    .option('--uninstall', 'take it out again')
    .option('--print', 'print the settings block and change nothing')
    .option('--project', 'your own settings of the current folder, .claude/settings.local.json (default)')
    .option('--shared', 'the settings that the folder shares, .claude/settings.json')
    .option('--user', 'your settings for all folders, ~/.claude/settings.json')
    .option('--events <names>', 'only these events, separated by commas')
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
    'run a command behind --, keep what it did and send it; record --help tells more',
  )

  verb(
    program,
    'verify <file>',
    'check chains of receipts offline: receipts.db, JSON, JSON Lines, an exported file; - is standard input',
  )
    .addOption(
      new Option(
        '--key <key>',
        'a public key that chains may begin with: a file, PEM, u… or did:key:…; may be repeated',
      ).argParser(collected),
    )
    .option('--current <key>', 'the key at which the last rotation of a chain must end')
    .option('--file-keys', 'the keys that came with an exported file; compare their fingerprints')
    .option('--chain <id>', 'only this chain')
    .addOption(new Option('--length <n>', 'how many receipts the chain must have').argParser(count))
    .option('--final-hash <hash>', 'hash that its last receipt must have')
    .option('--require-terminal', 'the chain must say that it ended')
    .option('--checkpoints <file>', 'signed checkpoints that the chain must bear out')
    .option('--rows', 'with --json: what was found at each receipt')
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

  verb(program, 'ci-summary', 'tell a CI job what failed in its run: annotations, and a summary with links')
    .addOption(
      new Option('--format <format>', 'how the log is written (default: as the CI system takes it)').choices(
        FORMATS,
      ),
    )
    .option('--job <name>', 'only what this job did (default: the whole run)')
    .option('--provider <name>', 'provider of the run (default: from the environment, as the next three)')
    .option('--path <path>', "the provider's own path of the project")
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
      'also write links for the page of the job, as GitLab takes them (artifacts:reports:annotations)',
    )
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for what is under way').default(0).argParser(seconds),
    )
    .action((options: Json & CiSummaryFlags) =>
      run(options.json === true, async (output) =>
        (await import('./ci-summary/run-ci-summary')).runCiSummary(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'skill <name>', 'print a text that teaches an agent: failure-signal').action(
    (name: string, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./skill/print-skill')).printSkill(name, io.env, output),
      ),
  )

  const token = program.command('token').description('keys for programs').copyInheritedSettings(program)
  verb(token, 'create', 'make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--scope <scopes...>', 'what it may do; CI, hooks and record need ingest only')
        .choices(['ingest', 'read', 'write'])
        .default(['ingest']),
    )
    .option('--project <slug>', 'project it belongs to')
    .addOption(new Option('--days <days>', 'days until it ends (default: never)').argParser(wholeNumber))
    .action((options: Json & NewToken) =>
      run(options.json === true, async (output) =>
        (await import('./admin/tokens')).createToken(options, io.env, output),
      ),
    )
  verb(token, 'list', 'list the keys, never their secrets').action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/tokens')).listTokens(io.env, output)),
  )
  verb(token, 'revoke <id>', 'end a key').action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/tokens')).revokeToken(id, io.env, output),
    ),
  )

  const user = program.command('user').description('people and their roles').copyInheritedSettings(program)
  const role = (): Option =>
    new Option('--role <role>', 'what they may do').choices(['viewer', 'operator', 'reviewer', 'admin'])
  verb(user, 'list', 'list the people').action((options: Json) =>
    run(options.json === true, async (output) => (await import('./admin/people')).listPeople(io.env, output)),
  )
  verb(user, 'invite <email>', 'make a one-time link for a person')
    .addOption(role().default('viewer'))
    .option('--name <name>', 'their name')
    .option('--project <slug>', 'project of the role')
    .action((email: string, options: Json & NewPerson) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).invitePerson(email, options, io.env, output),
      ),
    )
  verb(user, 'link [email]', 'make a link for a new password; without EMAIL, for the first admin').action(
    (email: string | undefined, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).makeLink(email ?? null, io.env, output),
      ),
  )
  verb(user, 'role <email>', 'change what a person may do')
    .addOption(role().makeOptionMandatory())
    .option('--project <slug>', 'project of the role')
    .action((email: string, options: Json & { role: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/people')).changeRole(email, options, io.env, output),
      ),
    )
  verb(user, 'remove <email>', 'take a person out of the project').action((email: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/people')).removePerson(email, io.env, output),
    ),
  )

  const source = program
    .command('source')
    .description('servers that are asked for their executions')
    .copyInheritedSettings(program)
  verb(
    source,
    'add',
    'connect a NoETL server; its credential comes from standard input or INQUEST_SOURCE_CREDENTIAL',
  )
    .requiredOption('--name <name>', 'name of the source')
    .requiredOption('--address <url>', 'address of the server, without /api')
    .option('--header <name>', 'header that holds the credential', 'Authorization')
    .option('--credential-stdin', 'read the value of the header from standard input')
    .option('--allow-private', 'the server is in a private network, or on the machine of Inquest')
    .addOption(
      new Option('--interval <seconds>', 'seconds between two polls (default: 60)').argParser(wholeNumber),
    )
    .option('--project <slug>', 'project it belongs to')
    .action((options: Json & NewSource) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).addSource(options, io.env, output, process.stdin),
      ),
    )
  verb(source, 'list', 'list them and how they go, never what opens them').action((options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./admin/connections')).listSources(io.env, output),
    ),
  )
  verb(source, 'check <id>', 'ask one once, and say what came')
    .option('--run <id>', 'fetch this execution as well; nothing is stored')
    .action((id: string, options: Json & { run?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).checkSource(id, options.run, io.env, output),
      ),
    )
  verb(source, 'remove <id>', 'ask it no more, and forget what opens it').action(
    (id: string, options: Json) =>
      run(options.json === true, async (output) =>
        (await import('./admin/connections')).removeSource(id, io.env, output),
      ),
  )

  verb(
    program,
    'parity <id>',
    'compare what the kept bytes of an execution give now with what is shown of it',
  ).action((id: string, options: Json) =>
    run(options.json === true, async (output) =>
      (await import('./parity/run-parity')).runParity(id, io.env, output),
    ),
  )

  const fix = program
    .command('fix')
    .description('proposed patches: download, apply in your own tree, propose')
    .copyInheritedSettings(program)
  verb(fix, 'get <id>', 'download exactly the proposed bytes and check their digest')
    .option(
      '--output <file>',
      'where they go; - is standard output (default: a file of the name that the server gives)',
    )
    .action((id: string, options: Json & FixGetFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-get')).runFixGet(id, options, io, output),
      ),
    )
  verb(
    fix,
    'apply <id>',
    'apply a patch in the repository you stand in: only when its tree is clean and all of it fits; nothing is committed',
  )
    .option('--check', 'say whether it would apply, and change nothing')
    .option('--dirty', 'also where tracked files have changes, as long as none of them is touched')
    .option('--anyway', 'also a fix that was rejected, superseded or has expired')
    .action((id: string, options: Json & FixApplyFlags) =>
      run(options.json === true, async (output) =>
        (await import('./fix/run-fix-apply')).runFixApply(id, options, io.env, output),
      ),
    )
  verb(fix, 'propose <file>', 'propose a patch for a failed execution; - is standard input')
    .requiredOption('--execution <id>', 'the execution it is for, by any id it is known by')
    .option('--task <name>', 'task of the execution')
    .option('--title <text>', 'what it does, in one line')
    .option('--supersedes <id>', 'the fix that it takes the place of')
    .option('--transcript <file>', 'what the agent wrote down of its work')
    .option('--proposal <file>', 'what is known of it as JSON: base, budget, agent, evidence')
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

  verb(program, 'reingest', 'build everything anew from the kept bytes')
    .option('--execution <id>', 'only this execution')
    .option('--project <slug>', 'only this project')
    .action((options: Json & { execution?: string; project?: string }) =>
      run(options.json === true, async (output) =>
        (await import('./admin/reingest')).runReingest(options, io.env, output, io.signal),
      ),
    )

  verb(program, 'doctor', 'look at the set-up and say what to do about each finding').action(
    (options: Json) =>
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
