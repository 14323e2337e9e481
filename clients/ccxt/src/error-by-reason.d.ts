export const ERROR_BY_REASON: Readonly<Record<string, string>>
