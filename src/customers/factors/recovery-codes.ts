/** Ten codes of 80 bits, shown once, kept as digests, each good once. */
import type { AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { newRecoveryCodes } from '../names.ts'
import type { Visit } from '../sessions/visit.ts'
import { changeFactors } from './change.ts'

export async function renewRecoveryCodes(
  context: CustomersContext,
  visit: Visit,
): Promise<AccountData<'recovery-codes/new'> | AccountRefusal> {
  const { person } = visit
  if (person === undefined) return refused('SESSION_NEEDED', {})
  let recoveryCodes: readonly string[] = []
  const refusal = await changeFactors(context, visit, person, 'RECOVERY_CODES_MADE', () => {
    recoveryCodes = storeRecoveryCodes(context, person.owner)
    return undefined
  })
  return refusal ?? { recoveryCodes }
}

/** In place of all earlier ones; they are nowhere else. */
export function storeRecoveryCodes({ store, world }: CustomersContext, owner: string): readonly string[] {
  const codes = newRecoveryCodes(world.randomBytes)
  store.factors.setRecoveryCodes(owner, codes.map(comparable))
  return codes
}

/** As it is compared: people write it with capitals, spaces or none. */
export function comparable(code: string): string {
  return code.toLowerCase().replace(/[^a-z2-7]/g, '')
}
