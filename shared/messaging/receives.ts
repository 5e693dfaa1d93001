/**
 * Receives of a message before it becomes a dead letter: the most that SQS accepts. A receive is no attempt: while an account
 * has no concurrency left, Lambda receives a message once per visibility timeout without running its worker. With three minutes
 * each, that may last for two days.
 */
export const RECEIVES_MAX = 1000;
