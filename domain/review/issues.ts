/** What feedback can be about: the surface that was called (specification, "Feedback record"). */
export const feedbackTypes = [
  "recommendations",
  "channel_sponsors",
  "mentions",
  "entities_search",
  "entities",
  "channels",
  "monitor_alert",
  "appearances",
  "search",
] as const;
export type FeedbackType = (typeof feedbackTypes)[number];

/** What a correction points at. */
export const itemKinds = [
  "recommendation",
  "sponsor",
  "mention",
  "appearance",
  "entity",
  "channel",
  "result",
  "alert",
] as const;
export type ItemKind = (typeof itemKinds)[number];

const kindOfType: Record<FeedbackType, ItemKind> = {
  recommendations: "recommendation",
  channel_sponsors: "sponsor",
  mentions: "mention",
  appearances: "appearance",
  entities: "entity",
  channels: "channel",
  entities_search: "result",
  search: "result",
  monitor_alert: "alert",
};

/** The kind of item that corrections of a feedback type are about. */
export function itemKindOf(type: FeedbackType): ItemKind {
  return kindOfType[type];
}

const entityIssues = [
  "wrong_name",
  "wrong_type",
  "wrong_url",
  "wrong_image",
  "wrong_owner",
  "duplicate_entity",
  "should_split",
  "missing_alias",
] as const;

/** What can be wrong with an item of each kind (decisions.md, "Community review"). */
export const issueTypesOfKind = {
  recommendation: [
    "not_commercial",
    "wrong_class",
    "wrong_entity",
    "wrong_promo_code",
    "wrong_offer",
    "wrong_quote",
    "wrong_timestamp",
    "wrong_speaker_role",
    "duplicate",
    "missing",
  ],
  sponsor: ["not_a_sponsor", "wrong_entity", "wrong_status", "wrong_count", "missing"],
  mention: [
    "not_mentioned",
    "wrong_entity",
    "wrong_timestamp",
    "wrong_sentiment",
    "wrong_quote",
    "duplicate",
    "missing",
  ],
  appearance: ["person_not_present", "wrong_person", "wrong_appearance_role", "wrong_timestamp", "missing"],
  entity: entityIssues,
  channel: entityIssues,
  result: ["irrelevant", "wrong_rank", "missing_result", "duplicate"],
  alert: ["false_positive", "wrong_entity", "wrong_timestamp", "duplicate_alert", "late_alert"],
} as const satisfies Record<ItemKind, readonly string[]>;

/** What can be wrong with an item of a kind. */
export type IssueOf<K extends ItemKind> = (typeof issueTypesOfKind)[K][number];
export type IssueType = IssueOf<ItemKind>;

/** Every issue type, each once. */
export const issueTypes: readonly IssueType[] = [...new Set(itemKinds.flatMap((kind) => issueTypesOfKind[kind]))];

/** Whether a text names something that can be wrong with an item of the kind. */
export function isIssueOf<K extends ItemKind>(kind: K, issue: string): issue is IssueOf<K> {
  return issueTypesOfKind[kind].some((known) => known === issue);
}

/** Whether feedback of a type is about commercial data, and needs the same access as that (specification, "Community Review"). */
export function isCommercial(type: FeedbackType): boolean {
  return type === "recommendations" || type === "channel_sponsors";
}

/** What applying a correction changes: what reads answer, or only what is recorded for ranking and review. */
export const issueEffects = ["reads", "record"] as const;
export type IssueEffect = (typeof issueEffects)[number];

const recordedIssues: { [K in ItemKind]?: readonly IssueOf<K>[] } = {
  entity: ["should_split"],
  channel: ["should_split"],
  result: ["irrelevant", "wrong_rank"],
  alert: ["late_alert"],
};

/** Which of the two an issue's correction changes (decisions.md, "Community review"). */
export function effectOf(kind: ItemKind, issue: IssueType): IssueEffect {
  const recorded: readonly IssueType[] = recordedIssues[kind] ?? [];
  return recorded.includes(issue) ? "record" : "reads";
}
