/** `RISING` waits for a trade at the price or above; `FALLING` for a trade at the price or below. */
export const TRIGGER_DIRECTIONS = ['RISING', 'FALLING'] as const
export type TriggerDirection = (typeof TRIGGER_DIRECTIONS)[number]
