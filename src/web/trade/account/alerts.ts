/**
 * Alerts of events while the page is not visible: the browser's notifications and a sound. Both are off by
 * default.
 */
import { effect, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Notifications, pageNotifications } from '../../shared/notifications.ts'
import type { NoticeLog } from '../state/notice-log.ts'
import { isFlag, KeptChoice } from './kept-choice.ts'

const SOUND_HZ = 660
const SOUND_SECONDS = 0.15
const SOUND_GAIN = 0.08

export class Alerts {
  readonly isNotifying = signal(false)
  readonly isSounding = new KeptChoice('bourse-alerts-sound', false, isFlag)
  readonly #notifications: Notifications = pageNotifications()
  #sound: AudioContext | undefined

  /** Follows the page's switch until the returned function is called. */
  follow(): () => void {
    const show = () => {
      this.isNotifying.value = this.#notifications.isOn
    }
    show()
    return this.#notifications.watch(show)
  }

  /** False if the browser refuses. */
  setNotifying(isOn: boolean): Promise<boolean> {
    return this.#notifications.set(isOn)
  }

  /**
   * Plays the sound once, so that the user hears it when switching it on and the browser records that it is
   * allowed.
   */
  setSounding(isOn: boolean): void {
    this.isSounding.value = isOn
    if (isOn) this.#play()
  }

  raise(text: string): void {
    if (this.isSounding.value) this.#play()
    if (document.hidden) this.#notifications.raise(text)
  }

  #play(): void {
    this.#sound ??= new AudioContext()
    const sound = this.#sound
    const [tone, gain] = [sound.createOscillator(), sound.createGain()]
    tone.frequency.value = SOUND_HZ
    gain.gain.value = SOUND_GAIN
    tone.connect(gain).connect(sound.destination)
    tone.start()
    tone.stop(sound.currentTime + SOUND_SECONDS)
  }
}

/** The alerts of this page, which follow its notices. */
export function useAlerts(notices: NoticeLog): Alerts {
  const alerts = useMemo(() => new Alerts(), [])
  useEffect(() => alerts.follow(), [alerts])
  useEffect(() => {
    let lastId = notices.log.peek()[0]?.id ?? 0
    return effect(() => {
      const news = notices.log.value.filter(({ id, isNews }) => isNews && id > lastId)
      lastId = Math.max(lastId, notices.log.value[0]?.id ?? 0)
      // If several notices appear at once, only the newest raises an alert: hundreds of sounds would be
      // useless.
      const [newest] = news
      if (newest !== undefined) alerts.raise(newest.say())
    })
  }, [notices, alerts])
  return alerts
}
