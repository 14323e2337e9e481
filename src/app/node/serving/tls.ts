/** The certificate of the public port and its key, from their files. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Logger } from '../../../server/common/logger.ts'
import type { TlsMaterial } from '../../../server/listener/renewable-listener.ts'
import type { TlsFiles } from '../../settings/defaults.ts'
import { SettingsError } from '../../settings/load.ts'

/**
 * Throws a `SettingsError` with the name of the file that cannot be read, is not PEM, or does not match the
 * other.
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsMaterial {
  const cert = read(certFile)
  const key = read(keyFile)
  const certificate = understood(certFile, 'a certificate in PEM', () => new X509Certificate(cert))
  const privateKey = understood(keyFile, 'a private key in PEM without a password', () =>
    createPrivateKey(key),
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new SettingsError(`${keyFile}: expected the key of the certificate in ${certFile}`)
  }
  return { cert, key, expiresAtMs: Date.parse(certificate.validTo) }
}

/**
 * Loads the current content of the files; if it is not usable, the old certificate is kept, and the log
 * states why.
 */
export function renewTls(
  server: { renewTls(tls: TlsMaterial): void },
  files: TlsFiles | undefined,
  log: Logger,
): TlsMaterial | undefined {
  if (files === undefined) {
    log.info({}, 'there is no certificate to reload')
    return undefined
  }
  try {
    const tls = readTls(files)
    server.renewTls(tls)
    log.info({ expiresAt: new Date(tls.expiresAtMs).toISOString() }, 'the certificate was reloaded')
    return tls
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    log.error({ problem: error.message }, 'the old certificate stays in use: the new one is invalid')
    return undefined
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${file}: cannot be read: ${problem}`, { cause })
  }
}

function understood<Result>(file: string, expected: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (cause) {
    throw new SettingsError(`${file}: expected ${expected}`, { cause })
  }
}
