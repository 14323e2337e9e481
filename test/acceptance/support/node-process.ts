/** The program as people start it, on a free port, with a data directory that is removed when it stops. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROGRAM } from '../../support/program.ts'
import { Client } from './client.ts'

const ROOT = path.resolve(import.meta.dir, '../../..')

export type Account = { readonly name: string; readonly apiKey: string; readonly secret: string }

export type NodeProcess = {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly streamUrl: string
  readonly dataDirectory: string
  readonly alice: Client
  readonly bob: Client
  /** Output of the program. */
  readonly output: () => string
  /** A client with this key; without one, a client without credentials. */
  client(account?: Pick<Account, 'apiKey' | 'secret'>): Client
  /** Runs the operator's command line; resolves with the JSON that it prints, throws if it fails. */
  admin(...words: readonly string[]): Promise<unknown>
  /**
   * Ends the program with this signal and restarts it on the same data and with the same settings;
   * `meanwhile` may change the data.
   */
  restart(signal: 'SIGTERM' | 'SIGKILL', meanwhile?: (dataDirectory: string) => void): Promise<NodeProcess>
  /** Stops the program; throws unless it ends with success. */
  stop(): Promise<void>
}

/** Starts a sandbox; `config` is its configuration file. Resolves once it reports that it is ready. */
export async function startSandbox(config: object = {}): Promise<NodeProcess> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-acceptance-'))
  writeFileSync(path.join(directory, 'config.json'), JSON.stringify(config))
  return start(directory)
}

async function start(directory: string): Promise<NodeProcess> {
  const data = path.join(directory, 'data')
  const program = await launch(data, path.join(directory, 'config.json'))
  const file = JSON.parse(readFileSync(path.join(data, 'sandbox.json'), 'utf8'))
  const url: string = file.baseUrl
  const client: NodeProcess['client'] = (account) => new Client(url, account)
  const named = (name: string) => client(file.accounts.find((each: Account) => each.name === name))
  return {
    url,
    streamUrl: file.streamUrl,
    dataDirectory: data,
    alice: named('alice'),
    bob: named('bob'),
    output: program.output,
    client,
    admin: (...words) => runAdmin(data, words),
    restart: async (signal, meanwhile) => {
      await program.end(signal)
      meanwhile?.(data)
      return start(directory)
    },
    stop: async () => {
      const code = await program.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the node ended with exit code ${code}:\n${program.output()}`)
    },
  }
}

/** Starts the program; resolves once it reports that it is ready, rejects if it exits before then. */
async function launch(data: string, config: string) {
  const options = ['--port', '0', '--data', data, '--config', config, '--self-trade', 'NONE']
  const child = Bun.spawn([...PROGRAM, 'sandbox', ...options], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  const drained = Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
        output += chunk
        if (output.includes('Bourse is ready at')) ready.resolve()
      }
    }),
  )
  void drained.then(() => ready.reject(new Error(`the node ended before it was ready:\n${output}`)))
  await ready.promise
  return {
    output: () => output,
    end: async (signal: 'SIGTERM' | 'SIGKILL') => {
      child.kill(signal)
      const code = await child.exited
      await drained
      return code
    },
  }
}

/** Runs the operator's command line for the node on a data directory. */
export async function runAdmin(data: string, words: readonly string[]): Promise<unknown> {
  const command = [...PROGRAM, 'admin', '--data', data, ...words, '--json']
  const child = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`admin ${words.join(' ')}: ${problem}${out}`)
  return out.trim() === '' ? undefined : JSON.parse(out)
}
