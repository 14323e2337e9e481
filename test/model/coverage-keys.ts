/** Every possible answer of the commands on API keys. */
export const KEY_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  CreateApiKey: [
    'done',
    'UNKNOWN_ACCOUNT',
    'API_KEY_EXISTS',
    'INVALID_COMMAND',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
  ],
  AddApiKey: [
    'done',
    'UNKNOWN_ACCOUNT',
    'API_KEY_EXISTS',
    'INVALID_COMMAND',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
    'RULES_VERSION_TOO_LOW',
  ],
  SetApiKeyEnabled: ['done', 'UNKNOWN_API_KEY', 'API_KEY_REVOKED'],
  SetApiKeyTerms: ['done', 'UNKNOWN_API_KEY', 'API_KEY_REVOKED', 'INVALID_COMMAND', 'LIMIT_REACHED'],
  SetApiKeyStrict: ['done', 'UNKNOWN_API_KEY', 'API_KEY_REVOKED', 'INVALID_COMMAND'],
  RotateApiKey: ['done', 'UNKNOWN_API_KEY', 'API_KEY_REVOKED', 'INVALID_COMMAND'],
  RevokeApiKey: ['done', 'UNKNOWN_API_KEY'],
  ResealSecret: ['done', 'UNKNOWN_API_KEY', 'INVALID_COMMAND'],
}
