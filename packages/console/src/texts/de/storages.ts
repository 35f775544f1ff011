import type { storages as english } from "../en/storages.ts"

/** German texts of storages and tags of applications. */
export const storages: typeof english = {
  title: "Speicher",
  volumes: "Volumes und Verzeichnisse",
  noVolumes: "Keine Volumes. Ohne Volume verwirft ein Deployment, was die Anwendung schreibt.",
  files: "Dateien",
  noFiles: "Keine Dateien. Eine Datei gibt den Containern eine Konfiguration, die nicht im Image ist.",
  volume: "Volume",
  directory: "Verzeichnis des Servers",
  file: "Datei",
  edit: "Bearbeiten",
  editTitle: (path: string) => `${path} bearbeiten`,
  appliedLater: "Eine Änderung gilt ab dem nächsten Deployment.",
  contentHidden: "Ihr Konto darf den Inhalt nicht sehen. Lassen Sie ihn leer, um ihn zu behalten.",
  mountPath: "Pfad in den Containern",
  mountPathHint: "Ein absoluter Pfad, etwa /var/lib/data",
  filePath: "Pfad der Datei in den Containern",
  hostPath: "Verzeichnis des Servers",
  hostPathHint: "Leer lassen für ein Volume der Engine.",
  content: "Inhalt",
  addVolume: "Volume hinzufügen",
  addVolumeHint: "Das nächste Deployment bindet es ein. Seine Daten bleiben, wenn Sie es hier entfernen.",
  addFile: "Datei hinzufügen",
  addFileHint: "Das nächste Deployment schreibt die Datei. Ihr Inhalt wird verschlüsselt gespeichert.",
  tags: "Tags",
  tag: "Tag",
  noTags: "Keine Tags. Ein Deployment nach Tag deployt alle Anwendungen mit dem Tag.",
  addTag: "Tag hinzufügen",
  tagHint: "Ein neuer Name legt das Tag an."
}
