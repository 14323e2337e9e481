/** Verifies attestations and assertions (Web Authentication, 7.1 and 7.2). */
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
 * The new passkey; undefined if the attestation is not valid. The library's errors are about data from the
 * browser.
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

/** The passkey's counter after this use; undefined if the assertion is not valid. */
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
