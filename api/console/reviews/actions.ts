import type { ReviewVerb } from "../../../domain/review/states.ts";
import { html } from "../html.ts";

/** What the buttons of a review do, as their forms say it. */
export const actions = [
  "accept",
  "accept_and_apply",
  "accept_with_changes",
  "reject",
  "request_information",
  "supply_information",
  "apply",
  "revert",
] as const;
export type Action = (typeof actions)[number];

interface ButtonLook {
  label: string;
  /** Shortcut that brings it into focus. */
  key?: string;
  className?: string;
}

const buttons: Record<Action, ButtonLook> = {
  accept: { label: "Accept", key: "a", className: "primary" },
  accept_and_apply: { label: "Accept and apply", key: "a", className: "primary" },
  accept_with_changes: { label: "Accept with these changes" },
  reject: { label: "Reject", key: "r", className: "danger" },
  request_information: { label: "Request information", key: "i" },
  supply_information: { label: "Note what was supplied" },
  apply: { label: "Apply", key: "y", className: "primary" },
  revert: { label: "Revert", key: "u", className: "danger" },
};

/** The button of an action, in a form that leads to the steps of a review. */
export function actionButton(action: Action) {
  const { label, key, className } = buttons[action];
  return html`<button type="submit" name="action" value=${action} class=${className} data-key=${key}>${label}</button>`;
}

/** The verbs that an action is made of, in order. */
export const verbsOf: Record<Action, readonly ReviewVerb[]> = {
  accept: ["accept"],
  accept_and_apply: ["accept", "apply"],
  accept_with_changes: ["accept_with_changes"],
  reject: ["reject"],
  request_information: ["request_information"],
  supply_information: ["supply_information"],
  apply: ["apply"],
  revert: ["revert"],
};
