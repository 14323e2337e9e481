export function sum(...texts: string[]): string
export function difference(left: string, right: string): string
export function product(left: string, right: string): string
export function unitOf(decimals: number): string
