import type { people as english } from "../en/people.ts"

/** Texts of teams, their members, and tokens. */
export const people: typeof english = {
  title: "Personen und Zugriff",
  tabs: "Seiten zu Personen und Zugriff",
  teams: "Teams",
  noTeams: "Sie sind in keinem Team.",
  newTeam: "Neues Team",
  createTeam: "Team anlegen",
  teamNumber: (id: string) => `Team ${id}`,
  ownInvitations: "Ihre Einladungen",
  accept: "Annehmen",
  expires: "läuft ab",
  members: "Mitglieder",
  noMembers: "Das Team hat keine Mitglieder.",
  invitations: "Offene Einladungen",
  noInvitations: "Keine Einladung ist offen.",
  inviteMember: "Mitglied einladen",
  inviteHint: "Nur das eingeladene Konto kann annehmen, einmal, innerhalb von sieben Tagen.",
  account: "Konto",
  accountHint: "Die UUID des Kontos.",
  role: "Rolle",
  tokens: "Token",
  noTokens: "Ihr Konto hat keine Token.",
  createToken: "Token erstellen",
  tokenHint: "Ein Token hat seine Fähigkeit im Rahmen der Berechtigungen Ihres Kontos.",
  ability: "Fähigkeit",
  expiry: "Läuft ab am",
  newToken: "Neues Token",
  shownOnce: "Kopieren Sie das Token jetzt. Es wird nicht noch einmal angezeigt.",
  revoke: "Widerrufen"
}
