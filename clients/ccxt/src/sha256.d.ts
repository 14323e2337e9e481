export function sha256(bytes: Uint8Array): Uint8Array
export function hmacSha256(secret: string, message: string): string
