import type { Texts } from "../Texts.ts"

/** German texts of the pages of packages. */
export const packages: Texts["packages"] = {
  title: "Pakete",
  none: "Keine Pakete. Veröffentliche eines mit dem Programm seines Typs, etwa npm oder podman.",
  noneLinked: "Mit diesem Repository ist kein Paket verknüpft. Verknüpft wird es auf der Seite des Pakets.",
  type: "Typ",
  allTypes: "Alle Typen",
  types: { container: "Container", generic: "Generisch", npm: "npm" },
  published: "veröffentlicht",
  install: "Installation",
  npmHint: "Bei nicht öffentlichen Paketen melden Sie sich zuerst an: npm braucht ein Token mit dem Recht package.",
  containerHint:
    "Bei nicht öffentlichen Images melden Sie sich zuerst an: podman login nimmt ein Token mit dem Recht package.",
  genericHint:
    "Bei nicht öffentlichen Paketen ergänzen Sie Ihren Namen und ein Token mit dem Recht package: -u name:token.",
  versions: "Versionen",
  latest: "Neueste",
  files: "Dateien",
  file: "Datei",
  size: "Größe",
  noFiles: "Diese Version hat keine Dateien.",
  details: "Angaben",
  repository: "Repository",
  notLinked: "Mit keinem Repository verknüpft, das Sie sehen.",
  link: "Mit Repository verknüpfen",
  linkHint: "Ein Repository desselben Besitzers. Es führt das Paket auf; wer beide lesen darf, sieht die Verknüpfung.",
  unlink: "Verknüpfung lösen",
  delete: "Paket löschen",
  deleteHint: "Alle Versionen und Dateien werden gelöscht. Das lässt sich nicht rückgängig machen.",
  deleteVersion: "Version löschen",
  deleteVersionHint:
    "Die Dateien dieser Version werden gelöscht; mit der letzten Version auch das Paket. Das lässt sich nicht rückgängig machen.",
  typeName: "Geben Sie den Namen des Pakets ein"
}
