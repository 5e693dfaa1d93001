/** A throttling rule: at most `max` notifications of a type per user in each `period` of `unit`. */
export const atMost = (max: number, unit: string, period = 1) => ({
  max,
  period,
  unit,
  forever: false,
  scope: ['userId', 'notificationId'],
});
