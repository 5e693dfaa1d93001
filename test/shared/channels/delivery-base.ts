/** Fields that every delivery has. */
export const DELIVERY_BASE = {
  trackingId: 'tracking-1',
  accountId: 'account-1',
  environmentId: 'environment-1',
  notificationId: 'order_shipped',
  userId: 'user-1',
  attempt: 1,
};
