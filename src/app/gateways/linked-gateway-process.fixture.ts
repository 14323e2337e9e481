/** A linked gateway in a separate process, for tests: it prints its address. */
import { randomBytes } from 'node:crypto'
import { createSecretBox } from '../../server/access/auth/secret-box.ts'
import { SANDBOX_GATEWAY } from '../../server/public/gateway-config.ts'
import { SERVER_DEFAULTS } from '../../server/public/public-server.ts'
import { STREAM_DEFAULTS } from '../../server/stream/config.ts'
import { LinkedGateway } from './linked-gateway.ts'

export type GatewayProcessOptions = {
  readonly socketPath: string
  readonly secret: string
  readonly name: string
  /** In hex. */
  readonly masterKey: string
  /** A shared port; undefined means any free one, not shared. */
  readonly port: number | undefined
}

const options = JSON.parse(process.argv[2] ?? '') as GatewayProcessOptions
const { socketPath, secret, name, masterKey, port = 0 } = options
const quiet = (): void => {}
const gateway = new LinkedGateway({
  name,
  links: () => ({ secret, engines: [{ name: 'engine', address: { socketPath } }], historians: [] }),
  server: { ...SERVER_DEFAULTS, port, sharesPort: port !== 0 },
  config: SANDBOX_GATEWAY,
  stream: STREAM_DEFAULTS,
  secretBox: createSecretBox(Buffer.from(masterKey, 'hex'), (size) => randomBytes(size)),
  tls: undefined,
  log: { debug: quiet, info: quiet, warn: quiet, error: console.error },
})
process.on('SIGTERM', () => void gateway.stop().then(() => process.exit(0)))
console.log(gateway.url)
await gateway.opened
console.log('open')
