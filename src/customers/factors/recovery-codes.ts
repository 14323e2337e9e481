/** Ten codes of 80 bits, shown once, stored as digests, each valid once. */
import type { AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { newRecoveryCodes } from '../names.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { changeFactors } from './change.ts'

export async function renewRecoveryCodes(
  context: CustomersContext,
  request: CustomerRequest,
): Promise<AccountData<'recovery-codes/new'> | AccountRefusal> {
  const { person } = request
  if (person === undefined) return refused('SESSION_NEEDED', {})
  let recoveryCodes: readonly string[] = []
  const refusal = await changeFactors(context, request, person, 'RECOVERY_CODES_MADE', () => {
    recoveryCodes = storeRecoveryCodes(context, person.owner)
    return undefined
  })
  return refusal ?? { recoveryCodes }
}

/** Replaces all earlier codes; the new ones are stored nowhere else in readable form. */
export function storeRecoveryCodes({ store, world }: CustomersContext, owner: string): readonly string[] {
  const codes = newRecoveryCodes(world.randomBytes)
  store.factors.setRecoveryCodes(owner, codes.map(comparable))
  return codes
}

/** The form that is compared: people type codes in capitals, with spaces or without. */
export function comparable(code: string): string {
  return code.toLowerCase().replace(/[^a-z2-7]/g, '')
}
