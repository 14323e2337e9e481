/** Texts of the customer's own pages in English, loaded with them. This table determines which rows exist. */
import type { HistoryKind } from '../../../../contract/customers/sessions.ts'
import type { Table } from '../../../shared/texts/table.ts'
import { KEYS_ENGLISH } from './texts/keys-english.ts'
import { SECURITY_ENGLISH } from './texts/security-english.ts'

const EVENTS = {
  SIGNED_UP: 'Account opened',
  PASSKEY_ADDED: 'Passkey added',
  PASSKEY_REMOVED: 'Passkey removed',
  PASSKEY_RENAMED: 'Passkey renamed',
  PASSWORD_SET: 'Password set',
  PASSWORD_REMOVED: 'Password removed',
  TOTP_SET: 'Authenticator app set up',
  RECOVERY_CODES_MADE: 'New recovery codes',
  RECOVERED: 'Account recovered',
  STEPPED_UP: 'Operation confirmed',
  STEP_UP_FAILED: 'Confirmation failed',
  SIGNED_IN: 'Signed in',
  SIGN_IN_FAILED: 'Sign-in failed',
  SESSION_ENDED: 'Session ended',
  SIGNED_OUT: 'Signed out',
  LOOKED_AT: 'An operator viewed your data',
  FROZEN: 'Account frozen',
  UNFROZEN: 'Freeze lifted',
  APPROVED: 'Approved by an operator',
  KEY_ADDED: 'API key created',
  KEY_ENDED: 'API key revoked',
  MAIL_CHANGE_ASKED: 'Change of email address requested',
  MAIL_CHANGED: 'Email address changed',
  PHRASE_SET: 'Email phrase set',
  RECOVERY_ASKED: 'Recovery requested from operators',
  RECOVERY_STOPPED: 'Recovery stopped',
  RESET: 'Account recovered by operators',
} as const satisfies Readonly<Record<HistoryKind, string>>

export const ENGLISH_PANE_TEXTS = {
  ...KEYS_ENGLISH,
  ...SECURITY_ENGLISH,
  title: 'Account and security',
  titleNobody: 'Sign in or sign up',
  close: 'Close',
  loading: 'Loading …',
  again: 'Try again',
  over: 'Your session has ended. Sign in again.',
  noAnswer: 'The exchange did not answer. Check your connection, and try again.',
  elsewhere: (origin: string) => `Go to ${origin}`,
  tabs: {
    security: 'Security',
    keys: 'API keys',
    sessions: 'Sessions',
    history: 'History',
    data: 'Data',
  },
  entry: {
    signIn: 'Sign in with a passkey',
    usePassword: 'Sign in with a password',
    passwordTitle: 'Sign in with a password',
    signInNow: 'Sign in',
    useOther: 'Back',
    noPasskey: 'Use a password and an app instead',
    passwordNote:
      'Choose a password. In the next step you connect an authenticator app on your phone, whose codes you will need together with it.',
    closed: 'Sign-up is closed. If you have an account, you can sign in.',
    approval: 'The operator of this exchange approves each new account before it can trade.',
    byInvitation: 'You need an invitation from this exchange.',
    newHere: 'New here? Open an account',
    mail: 'Email address',
    invitation: 'Invitation',
    invitationIfAny: 'Invitation, if you have one',
    waiting: 'Your account is waiting for approval. You will get an email.',
    terms: 'By signing up you agree to the terms of this exchange.',
    signUp: 'Sign up',
    sent: 'We have sent you an email. Open its link in this browser within 30 minutes.',
    sentSandbox:
      'A sandbox sends no emails. The command that "npm start" printed next to "Emails" shows the link. Open it in this browser within 30 minutes.',
    confirmNote: 'Confirm that this email address is yours, then create a passkey.',
    confirm: 'Confirm',
    passkeyNote: 'You sign in with a passkey instead of a password. Its secret never leaves your device.',
    makePasskey: 'Create a passkey',
    noPairs: 'This browser cannot create the keys of a session (Ed25519 or P-256). Use a newer browser.',
    notDone: 'The passkey was not used. Try again.',
  },
  help: {
    offer: 'Lost your passkey, or account frozen?',
    note: 'Enter the confirmed email address of your account.',
    askRecovery: 'Send a recovery link',
    askLift: 'Send a link that lifts a freeze',
    sent: 'If this address has an account, an email is on its way. Open its link in this browser within 30 minutes.',
    sentSandbox:
      'A sandbox sends no emails. If this address has an account, the command that "npm start" printed next to "Emails" shows the link.',
    recoverNote:
      'All sessions end, all API keys are revoked, and withdrawals are blocked for 72 hours. Then you create a new passkey, which replaces all other ways to sign in.',
    code: 'Recovery code',
    recover: 'Recover the account',
    codesNote:
      'Save these recovery codes: they are shown only now. Each one, together with your email address, recovers the account once.',
    codesSaved: 'I have saved them',
    freezeNote:
      'Freezing stops trading, withdrawals and API keys, and ends all sessions. Open orders stay open. You can lift the freeze by email and passkey.',
    freeze: 'Freeze my account',
    frozen: 'Your account is frozen. An email explains how to lift the freeze.',
    unfreezeNote: 'Lift the freeze with your passkey. Withdrawals stay blocked for 24 hours.',
    unfreeze: 'Lift the freeze',
    lifted: 'The freeze is lifted.',
    noCode: 'I have no recovery code',
    askNote:
      'Without a recovery code, the operators of the exchange decide. We send you an email, and anyone who is signed in to the account can stop the recovery. After 48 hours at the earliest, two operators may send a link to your confirmed address.',
    ask: 'Ask the operators',
    asked: (at: string) =>
      `The operators have been asked. They decide no earlier than ${at}, and you will get an email.`,
    resetNote:
      'All sessions end, all API keys are revoked, and withdrawals are blocked for 7 days. Then you create a new passkey, which replaces all other ways to sign in.',
    mailSignIn: 'Sign in to confirm your new email address.',
    mailNote:
      'Confirm that this email address is yours: your account will use it from then on. All other sessions end, and withdrawals are blocked for 24 hours.',
    mailConfirm: 'Use this address',
    mailChanged: 'Your account has the new email address. All other sessions have ended.',
    erased: 'Your data has been erased. It is no longer possible to sign in to this account.',
  },
  origin: {
    unknownDevice: 'Unknown device',
    unknownNetwork: 'unknown network',
  },
  sessions: {
    about: 'A session is a browser in which you are signed in. End each one that you do not recognize.',
    isThis: 'this session',
    begun: 'Signed in',
    used: 'Last used',
    ends: 'Ends no later than',
    end: 'End',
    endOf: (device: string, network: string) => `End the session of ${device}, ${network}`,
    signOut: 'Sign out',
    endOthers: 'End all other sessions',
    onlyThis: 'You are signed in here and nowhere else.',
    ended: 'The session has ended. Its key no longer works.',
    endedOthers: 'All other sessions have ended. Their keys no longer work.',
  },
  history: {
    about: 'Events of your account, newest first: at most 100 entries.',
    none: 'Nothing has happened yet.',
    isUnknown: 'Something you did not do? End all other sessions at once, or freeze the account.',
    locked: 'To see the history, confirm again that it is you. This is required again after five minutes.',
    unlock: 'Show the history',
    events: EVENTS,
  },
} as const

export type PaneTexts = Table<typeof ENGLISH_PANE_TEXTS>
