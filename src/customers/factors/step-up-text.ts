/** The text of a step-up, which the person reads and the credential signs. */
import type { AccountBody, AccountEndpoint } from '../../contract/customers/endpoints.ts'
import type { StepUp } from '../../contract/customers/row.ts'
import type { Language } from '../../contract/language.ts'
import { AccountRefusal } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { keyTexts } from '../keys/key-texts.ts'
import type { Person } from '../store/people.ts'
import { labelOfPasskey } from './passkey-labels.ts'

type Values = Readonly<Record<string, unknown>>
type Details = (
  context: CustomersContext,
  person: Person,
  values: Values,
  language: Language,
) => Values | AccountRefusal

/**
 * Operations whose text contains more than the body does. An operation that would be refused is refused
 * before its text is shown.
 */
const DETAILS: { readonly [Name in AccountEndpoint]?: Details } = {
  'passkey/remove': (context, { owner }, { id }) => {
    const label = labelOfPasskey(context, owner, String(id))
    return label instanceof AccountRefusal ? label : { label }
  },
  'phrase/set': (_, __, { phrase = '-' }) => ({ phrase: String(phrase).replaceAll('"', "'") }),
  'key/create': ({ world }, _, values, language) =>
    keyTexts(values as AccountBody<'key/create'>, world.now(), language),
}

/**
 * `reference` is unique, so that no two texts have the same digest. Returns the refusal of an operation that
 * is not possible.
 */
export function stepUpText(
  context: CustomersContext,
  person: Person,
  {
    operation,
    stepUp,
    values,
  }: { readonly operation: AccountEndpoint; readonly stepUp: StepUp; readonly values: Values },
  { language, reference }: { readonly language: Language; readonly reference: string },
): string | AccountRefusal {
  const details = DETAILS[operation]?.(context, person, values, language) ?? {}
  if (details instanceof AccountRefusal) return details
  const { name } = context.config
  return `${filled(stepUp.text[language], { ...values, ...details })}\n\n${name} · ${reference}`
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '-')
  })
}
