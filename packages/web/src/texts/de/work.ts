import type { Texts } from "../Texts.ts"

/** German texts of the viewer's lists of issues, pull requests and notifications. */
export const work: Texts["work"] = {
  notifications: "Benachrichtigungen",
  unread: "Ungelesen",
  read: "Gelesen",
  none: "Keine Benachrichtigungen. Issues und Pull-Requests, denen du folgst, erscheinen hier.",
  markRead: "Als gelesen markieren",
  markUnread: "Als ungelesen markieren",
  markAll: "Alle als gelesen markieren",
  pinned: "Angeheftet",
  pin: "Anheften",
  unpin: "Lösen",
  issues: "Deine Issues",
  pulls: "Deine Pull-Requests",
  kinds: {
    assigned: "Zugewiesen",
    created_by: "Erstellt",
    mentioned: "Erwähnt",
    review_requested: "Review erbeten",
    reviewed_by: "Begutachtet"
  },
  noIssues: "Kein Issue passt.",
  milestones: "Deine Meilensteine",
  noMilestones: "Keine Meilensteine. Die Meilensteine deiner und der dir freigegebenen Repositorys erscheinen hier.",
  noPulls: "Kein Pull-Request passt.",
  about: (what) => `Benachrichtigung über ${what}`
}
