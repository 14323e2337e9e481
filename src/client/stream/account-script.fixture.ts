/** A logged-in client, on a server that the test controls. */
import { Signer } from '../access/signer.ts'
import { AccountStream, type AccountStreamOptions } from './account-stream.ts'
import { MarketStream } from './market-stream.ts'
import { type ScriptedSocket, VirtualPorts } from './virtual-ports.fixture.ts'

export const API_KEY = '4f1c0f3a9b2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071829304a5b6c7'
/** From docs/reference/authentication.md#signature. */
export const SECRET = '9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0'
export const SERVER_TIME = 1_767_225_600_000

export const refusal = (reason: string, code = '4001') => ({ status: false, code, msg: [''], reason })

export class AccountScript {
  readonly ports = new VirtualPorts()
  readonly stream = new MarketStream({ url: 'ws://exchange/stream', ports: this.ports })
  readonly account: AccountStream
  readonly log: string[] = []
  /** How many times the client has discarded its clock measurement. */
  doubts = 0

  constructor(options: Partial<AccountStreamOptions> = {}) {
    this.ports.random = () => 1
    this.account = new AccountStream({
      stream: this.stream,
      ports: { ...this.ports, randomHex: (bytes) => 'ab'.repeat(bytes) },
      apiKey: API_KEY,
      signer: new Signer(SECRET, { subtle: undefined }),
      clock: { time: async () => SERVER_TIME, doubt: () => void this.doubts++ },
      onLogin: (state) =>
        this.log.push(state.kind + ('error' in state && state.error ? ` ${state.error.reason}` : '')),
      onSessionLost: () => this.log.push('session lost'),
      ...options,
    })
  }

  get socket(): ScriptedSocket {
    return this.ports.socket
  }

  /** The server accepts the connection, and the login arrives. */
  async open(): Promise<Record<string, unknown>> {
    this.stream.connect()
    this.socket.open()
    return this.login()
  }

  /** The next message, which is a login. */
  async login(): Promise<Record<string, unknown>> {
    const [event, fields] = await this.next()
    if (event !== 'login') throw new Error(`expected a login, found ${String(event)}`)
    return fields as Record<string, unknown>
  }

  /** The next message of the client: signing takes some turns of the event loop. */
  async next(): Promise<unknown[]> {
    for (let turn = 0; turn < 100; turn++) {
      const message = this.socket.sent.shift()
      if (message !== undefined) return message
      await Promise.resolve()
    }
    throw new Error('the client has sent nothing')
  }

  /** Accepts the login, as the server does. */
  accept(more: object = {}): void {
    const data = { apiKey: API_KEY, permissions: ['TRADE', 'WALLET'], serverTime: SERVER_TIME, ...more }
    this.socket.say('answer', 'login', 200, { status: true, code: '0000', msg: [''], data })
  }

  refuse(reason: string, code?: string, ...beside: object[]): void {
    this.socket.say('answer', 'login', 401, refusal(reason, code), ...beside)
  }
}
