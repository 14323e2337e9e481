/** Checks of attestations and assertions (Web Authentication, 7.1 and 7.2). */
import './metadata-of-classes.ts'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { CustomersContext } from '../customers-context.ts'
import type { Passkey } from '../store/people.ts'

type Made = Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'>

/**
 * The passkey that was made; undefined: it does not fit. The library's errors are about the browser's data.
 */
export async function attestedPasskey(
  { config, world }: CustomersContext,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
): Promise<Made | undefined> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: [...config.origins],
      expectedRPID: config.rpId,
      requireUserVerification: true,
    })
    if (!verified || registrationInfo === undefined) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { id, public_key: publicKey, counter, transports: transports.join(',') }
  } catch (cause) {
    world.log.info({ problem: messageOf(cause) }, 'an attestation was refused')
    return undefined
  }
}

/** The passkey's count after this use; undefined: it does not fit. */
export async function assertedCounter(
  { config, world }: CustomersContext,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  passkey: Passkey,
): Promise<number | undefined> {
  try {
    const transports = passkey.transports.split(',').filter(Boolean) as AuthenticatorTransport[]
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: [...config.origins],
      expectedRPID: config.rpId,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: passkey.public_key, counter: passkey.counter, transports },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch (cause) {
    world.log.info({ problem: messageOf(cause) }, 'an assertion was refused')
    return undefined
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
