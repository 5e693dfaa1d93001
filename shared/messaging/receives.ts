/**
 * Receives of a message before it becomes a dead letter. A receive is no attempt: while an account has no concurrency left,
 * Lambda receives a message once per visibility timeout without running its worker, and that may last for hours.
 */
export const RECEIVES_MAX = 100;
