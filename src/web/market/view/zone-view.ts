/** The choice of the time zone, and its name beside times. */
import { browserStorage } from '../../shared/browser-storage.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import {
  onZone,
  shownZone,
  showZone,
  ZONE_ENTRY,
  ZONES,
  zoneName,
  zoneOf,
} from '../../shared/texts/time-zone.ts'
import { byId, setText } from './dom.ts'

export class ZoneView {
  /** `onChange` must redraw the displayed times. */
  constructor(onChange: () => void) {
    const select = byId('zone', HTMLSelectElement)
    const storage = browserStorage(window)
    const options = ZONES.map((zone) => [zone, new Option('', zone)] as const)
    select.replaceChildren(...options.map(([, option]) => option))
    onLanguage(() => {
      for (const [zone, option] of options) setText(option, TEXTS.layout.zones[zone])
    })
    showZone(zoneOf(storage.read(ZONE_ENTRY)))
    select.value = shownZone()
    select.addEventListener('change', () => {
      showZone(zoneOf(select.value))
      storage.write(ZONE_ENTRY, shownZone())
    })
    onZone(() => {
      for (const name of document.querySelectorAll('[data-zone]')) setText(name, zoneName())
      onChange()
    })
  }
}
