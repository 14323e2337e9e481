/** The program: selects the command, and translates its result into the exit code. */
import { hostname } from 'node:os'
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, runAdmin } from '../cli/admin/run.ts'
import { UsageError } from '../cli/arguments.ts'
import { PROGRAM_WORDS, runCompletion } from '../cli/completion.ts'
import { tellFailure } from '../cli/failure.ts'
import { runTop } from '../cli/top/run.ts'
import { versionText } from '../contract/program-version.ts'
import { nearest } from '../units/nearest.ts'
import { runConfig } from './config.ts'
import { CUSTOMERS_COMMAND } from './customers/order.ts'
import { DEMO_HELP, HELP, SANDBOX_HELP, SERVE_HELP } from './help.ts'
import { runInit } from './init.ts'
import { REPORT_COMMAND } from './maintenance/reports/report-order.ts'
import type { AuditHost } from './maintenance/verification/host.ts'
import { auditCommand, runAudit } from './maintenance/verification/run.ts'
import { prepareStorage } from './node/storage/storage.ts'
import { confirmOnTerminal } from './process/confirm.ts'
import { bugInFull, directoryNote, finalMessage } from './process/final-message.ts'
import { isJournalStream, PRIORITIES, prefixed } from './process/journal-priority.ts'
import { openLog } from './process/log.ts'
import { drawOnError, print, printError, printOrEnd, printPiece } from './process/output.ts'
import { type RunningProcess, runNode } from './process/run-node.ts'
import { terminalScreen } from './process/screen.ts'
import { userName } from './process/user-name.ts'
import { demoTerms } from './sandbox/demo/terms.ts'
import { selfTradeOption } from './sandbox/self-trade-option.ts'
import { type SandboxOptions, startSandbox } from './sandbox/start.ts'
import { startServe } from './serve.ts'
import { type Defaults, SANDBOX_DEFAULTS, SERVE_DEFAULTS } from './settings/defaults.ts'
import { GATEWAY_COMMAND } from './settings/gateway-count.ts'
import { loadSettings } from './settings/load.ts'
import { programVersion } from './version.ts'

/** Whether standard error is systemd's journal. */
const IS_JOURNAL = isJournalStream(process.env.JOURNAL_STREAM)
/** An empty variable counts as absent. */
const DATA_DIR = process.env.DATA_DIR || undefined

async function main([command, ...line]: readonly string[]): Promise<number> {
  switch (command) {
    case 'sandbox':
      return sandbox(line)
    case 'serve':
      return node(line, SERVE_DEFAULTS, SERVE_HELP, startServe)
    case 'init':
      return runInit(line, { print, environment: process.env })
    case 'admin':
      return admin(line)
    case 'top':
      return runTop(line, {
        print: printOrEnd,
        printError,
        defaultData: DATA_DIR,
        screen: terminalScreen(),
        monotonicMs: () => performance.now(),
        nowMs: () => Date.now(),
        sleep: (ms) => Bun.sleep(ms),
      })
    case 'config':
      return runConfig(line, { print: printOrEnd, printError, environment: process.env })
    case 'cluster':
      return (await import('./cluster/run.ts')).runCluster(line, {
        ...auditHost(),
        operator: operatorHere(),
      })
    case 'engine':
    case 'gateway':
    case 'historian':
    case 'customers':
      return ofCluster(command, line)
    case 'standby':
      return (await import('./standby/run.ts')).runStandbyCommand(line, standbyHost())
    case 'completion':
      return runCompletion(line, { print })
    case GATEWAY_COMMAND: {
      const { runGatewayChild } = await import('./gateways/gateway-child.ts')
      return runGatewayChild({ input: Bun.stdin.stream(), isJournal: IS_JOURNAL, printError })
    }
    case CUSTOMERS_COMMAND: {
      const { runCustomersChild } = await import('./customers/customers-child.ts')
      return runCustomersChild({ input: Bun.stdin.stream(), isJournal: IS_JOURNAL, printError })
    }
    case REPORT_COMMAND: {
      const { runReportChild } = await import('./maintenance/reports/report-child.ts')
      return runReportChild(Bun.stdin.stream(), auditHost(), () => process.exit(EXIT_FAILED))
    }
    case '--version':
      print(versionText(programVersion()))
      return EXIT_OK
    case '--help':
    case '-h':
    case 'help':
      print(HELP)
      return EXIT_OK
    case undefined:
      printError(HELP)
      return EXIT_USAGE
    default:
      return audit(command, line)
  }
}

/** One process of a cluster. */
async function ofCluster(
  command: 'engine' | 'gateway' | 'historian' | 'customers',
  line: readonly string[],
): Promise<number> {
  switch (command) {
    case 'engine':
      return (await import('./cluster/engine/run.ts')).runEngineCommand(line, clusterHost())
    case 'gateway':
      return (await import('./gateways/run-gateway.ts')).runGateway(line, {
        print,
        version: programVersion(),
        isJournal: IS_JOURNAL,
      })
    case 'historian':
      return (await import('./cluster/engine/run.ts')).runHistorianCommand(line, clusterHost())
    case 'customers':
      return (await import('./customers/run-customers.ts')).runCustomers(line, clusterHost())
  }
}

async function sandbox(line: readonly string[]): Promise<number> {
  const [word, ...rest] = line
  switch (word) {
    case 'demo': {
      const { terms, others: ofSandbox } = demoTerms(rest)
      const { selfTradeMode, others } = selfTradeOption(ofSandbox)
      return node(others, SANDBOX_DEFAULTS, DEMO_HELP, (host) =>
        startSandbox({ ...host, demo: terms, selfTradeMode }),
      )
    }
    case 'grade':
      return (await import('./sandbox/grade/command.ts')).runGrade(rest, {
        print,
        printError,
        environment: process.env,
        version: programVersion(),
        interrupted: firstSignal(),
      })
    case 'clients':
      return (await import('./sandbox/clients.ts')).runClients(rest, { print, defaultData: DATA_DIR })
    case 'reset':
      return (await import('./sandbox/reset.ts')).runReset(rest, {
        print,
        defaultData: DATA_DIR,
        confirm: confirmation(),
      })
    default: {
      const { selfTradeMode, others } = selfTradeOption(line)
      return node(others, SANDBOX_DEFAULTS, SANDBOX_HELP, (host) => startSandbox({ ...host, selfTradeMode }))
    }
  }
}

/** Resolves at the first signal, which asks the process to end. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function admin(line: readonly string[]): Promise<number> {
  return runAdmin(line, {
    print,
    printError,
    write: printPiece,
    defaultData: DATA_DIR,
    userName: userName(process.env),
    token: process.env.BOURSE_ADMIN_TOKEN || undefined,
    url: process.env.BOURSE_ADMIN_URL || undefined,
    confirm: confirmation(),
  })
}

async function audit(name: string, line: readonly string[]): Promise<number> {
  const command = auditCommand(name)
  if (command === undefined) {
    const near = nearest(name, PROGRAM_WORDS)
    throw new UsageError(`there is no command ${name}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  return runAudit(command, line, auditHost())
}

function auditHost(): AuditHost {
  return {
    print: printOrEnd,
    printError,
    terminal: process.stderr.isTTY ? drawOnError : undefined,
    defaultData: DATA_DIR,
    version: programVersion(),
    monotonicMs: () => performance.now(),
    nowMs: () => Date.now(),
  }
}

/** Functions that the processes of a cluster need from the program. */
function clusterHost() {
  const version = programVersion()
  const open = (level: Parameters<typeof openLog>[0]) => openLog(level, IS_JOURNAL, version)
  return { print, version, openLog: open }
}

function standbyHost() {
  const environment = process.env
  return { ...clusterHost(), environment, operator: operatorHere(), confirm: confirmation() }
}

/** The operator's name, for a journal. */
function operatorHere(): string {
  return `${userName(process.env)}@${hostname()}`
}

/** Undefined if there is no terminal. */
function confirmation(): typeof confirmOnTerminal | undefined {
  return process.stdin.isTTY && process.stderr.isTTY ? confirmOnTerminal : undefined
}

async function node(
  line: readonly string[],
  defaults: Defaults,
  help: string,
  start: (host: SandboxOptions) => Promise<RunningProcess>,
): Promise<number> {
  if (line.includes('--help') || line.includes('-h')) {
    print(help)
    return EXIT_OK
  }
  const settings = loadSettings(line, process.env, defaults)
  const version = programVersion()
  const log = openLog(settings.logLevel, IS_JOURNAL, version)
  return runNode(() => start({ settings, version, log, print }), log)
}

prepareStorage()
try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  if (error instanceof UsageError) {
    const [command = ''] = process.argv.slice(2)
    const program = PROGRAM_WORDS.includes(command) ? `bourse ${command}` : 'bourse'
    const { message } = error
    const failure = { reason: 'NOT_UNDERSTOOD' as const, message, help: `${program} --help` }
    tellFailure(program, failure, process.argv.slice(2), { print, printError })
    process.exit(EXIT_USAGE)
  }
  const known = finalMessage(error)
  const note = directoryNote(known ?? '', process.argv.slice(2), process.env)
  const last = `bourse: ${known === undefined ? bugInFull(error) : known + note}`
  printError(IS_JOURNAL ? prefixed(PRIORITIES.error, last) : last)
  process.exit(EXIT_FAILED)
}
