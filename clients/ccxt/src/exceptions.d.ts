export const ERROR_BY_STATUS: Readonly<Record<number, string>>
export function errorOfUnknownReason(code: string, status: number): string
