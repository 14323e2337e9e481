/** The function of each endpoint, by its path under `/account/v1/`. */
import type { AccountBody, AccountData, AccountEndpoint } from '../../contract/customers/endpoints.ts'
import type { AccountRefusal } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import { beginTotp, finishTotp } from '../factors/authenticator-apps.ts'
import { removePassword, setPassword } from '../factors/password-changes.ts'
import { beginRecovery, confirmRecovery, confirmReset } from '../factors/recovery.ts'
import { renewRecoveryCodes } from '../factors/recovery-codes.ts'
import { requestRecovery, stopRecovery } from '../factors/recovery-requests.ts'
import { removePasskey } from '../factors/remove-passkey.ts'
import { renamePasskey } from '../factors/rename-passkey.ts'
import { beginStepUp, finishStepUp } from '../factors/step-up.ts'
import { freezeByLink, freezeOwn } from '../freezes/freeze.ts'
import { beginUnfreeze, confirmUnfreeze } from '../freezes/unfreeze.ts'
import { createKey } from '../keys/create-key.ts'
import { endKey } from '../keys/end-keys.ts'
import { listKeys } from '../keys/list-keys.ts'
import { beginMailChange, confirmMailChange } from '../mail/change-mail.ts'
import { setPhrase } from '../mail/phrase.ts'
import { eraseOwn, exportData } from '../people/own-data.ts'
import { beginLogin, beginRegistration, finishLogin, finishRegistration } from '../people/passkeys.ts'
import { loginWithPassword } from '../people/password-login.ts'
import { beginSignUp, confirmSignUp } from '../people/sign-up.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import { listHistory, listSessions, me } from '../sessions/lists.ts'
import { endSessions, logOut } from '../sessions/sign-in.ts'

type Outcome<Name extends AccountEndpoint> = AccountData<Name> | AccountRefusal

type Routes = {
  readonly [Name in AccountEndpoint]: (
    context: CustomersContext,
    request: CustomerRequest,
    body: AccountBody<Name>,
  ) => Outcome<Name> | Promise<Outcome<Name>>
}

export const ROUTES: Routes = {
  config,
  'signup/begin': beginSignUp,
  'signup/confirm': confirmSignUp,
  'passkey/register/begin': beginRegistration,
  'passkey/register/finish': finishRegistration,
  'login/passkey/begin': beginLogin,
  'login/passkey/finish': finishLogin,
  me,
  sessions: listSessions,
  'session/end': endSessions,
  logout: logOut,
  history: listHistory,
  freeze: freezeOwn,
  'freeze/link': freezeByLink,
  'unfreeze/begin': beginUnfreeze,
  'unfreeze/confirm': confirmUnfreeze,
  'step-up/begin': beginStepUp,
  'step-up/finish': finishStepUp,
  'passkey/remove': removePasskey,
  'passkey/rename': renamePasskey,
  'password/set': setPassword,
  'password/remove': removePassword,
  'totp/begin': beginTotp,
  'totp/finish': finishTotp,
  'recovery-codes/new': renewRecoveryCodes,
  'login/password': loginWithPassword,
  'recover/begin': beginRecovery,
  'recover/confirm': confirmRecovery,
  export: exportData,
  erase: eraseOwn,
  keys: listKeys,
  'key/create': createKey,
  'key/end': endKey,
  'recover/request': requestRecovery,
  'recover/stop': stopRecovery,
  'reset/confirm': confirmReset,
  'mail/change/begin': beginMailChange,
  'mail/change/confirm': confirmMailChange,
  'phrase/set': setPhrase,
}

function config(
  { config: { signUp, termsVersion, origin, isSandbox } }: CustomersContext,
  request: CustomerRequest,
): AccountData<'config'> {
  const state = request.session?.level ?? 'NOBODY'
  return { signUp, termsVersion, origin, state, csrfToken: request.csrfToken, isSandbox }
}
