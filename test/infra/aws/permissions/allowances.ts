import type { Grants } from '../../../../shared/http/route.ts';

/**
 * What each row of the two tables may ask for, a second time: a row that asks for more fails until somebody writes it here
 * too, where a review sees the rights of all functions side by side.
 */
export const ALLOWANCES: Readonly<Record<string, string>> = {
  send: 'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  sender: 'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  sendBulk:
    'batchGet batchWrite decrypt encrypt get put query read:digests read:requests transact update write:requests',
  sendEmail:
    'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  sendSms: 'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  sendTestEmail:
    'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  reschedule:
    'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  cancelScheduled:
    'batchGet decrypt encrypt get put query read:digests read:requests transact update write:requests',
  getLogs: 'get query read:digests read:requests update',
  getLogsBulk: 'get query read:digests read:requests update',
  listLogs: 'batchGet decrypt encrypt feed-index get put query read:digests read:requests update',
  tailLogs: 'feed-index get query read:digests read:requests update',
  getLogRetention: 'get update',
  saveUser: 'decrypt encrypt get put transact update',
  getUser: 'decrypt get update',
  listUsers: 'batchGet decrypt encrypt feed-index get put query update',
  deleteUser:
    'batchGet decrypt delete delete:attachments delete:digests delete:requests feed-index get put query read:digests read:requests transact update websocket-close write:requests',
  liftSuppression: 'decrypt delete encrypt get put suppression-list update',
  connectChat: 'decrypt encrypt get put secrets transact update',
  listChatChannels: 'decrypt delete encrypt get put secrets update',
  listWaiting: 'get query read:digests read:requests update',
  getPreferences: 'decrypt get query update',
  savePreferences: 'decrypt encrypt get put query update',
  resetPreferences: 'decrypt get update',
  showUnsubscribe: 'decrypt encrypt get put read:digests read:requests',
  unsubscribe: 'decrypt encrypt get put read:digests read:requests update',
  showPreferencesPage: 'decrypt encrypt get put query read:digests read:requests',
  savePreferencesPage: 'decrypt encrypt get put query read:digests read:requests update',
  trackOpen: 'decrypt encrypt get put read:digests read:requests',
  trackClick: 'decrypt encrypt get put read:digests read:requests',
  listInapp: 'decrypt get query update',
  markInapp: 'batchGet decrypt delete get put query update websocket',
  countUnreadInapp: 'decrypt get query update',
  openAllInapp: 'batchGet decrypt delete get put query update websocket',
  listTypes: 'get query update',
  createType: 'get put update',
  getType: 'get update',
  updateType: 'get put update',
  deleteType: 'delete get put transact update',
  listTemplates: 'get update',
  createTemplate: 'delete get put transact update',
  selectDefaultTemplate: 'get put transact update',
  previewTemplate: 'batchGet get update',
  getTemplate: 'get update',
  updateTemplate: 'delete get put transact update',
  deleteTemplate: 'delete get put transact update',
  listComponents: 'decrypt encrypt get put query update',
  createComponent: 'get put transact update',
  getComponent: 'get query update',
  updateComponent: 'get put query transact update',
  deleteComponent: 'delete get put query transact update',
  listApiKeys: 'decrypt encrypt get put query update',
  createApiKey: 'decrypt encrypt get put transact update',
  revokeApiKey: 'decrypt get update',
  getStatus: '',
  getOpenapi: '',
  getFcmConfig: 'decrypt get update',
  saveFcmConfig: 'decrypt encrypt get put update',
  deleteFcmConfig: 'delete get update',
  getApnConfig: 'decrypt get update',
  saveApnConfig: 'decrypt encrypt get put update',
  deleteApnConfig: 'delete get update',
  listEnvironments: 'decrypt get query update',
  createEnvironment: 'decrypt encrypt get put transact update',
  updateEnvironment: 'decrypt delete encrypt get put query update websocket-close',
  getAccount: 'get update',
  updateAccount: 'get update',
  getAccountOrganization: 'get query update',
  getAccountMetadata: 'get update',
  getUsage: 'get query update',
  getUsageHistory: 'get query update',
  saveBilling: 'decrypt encrypt get put query secrets transact update',
  receivePaymentEvent: 'decrypt encrypt get put secrets transact',
  listDomains: 'get query update',
  createDomain: 'decrypt encrypt get put query transact update',
  deleteDomain: 'delete get put query transact update',
  listAddresses: 'get query update',
  createAddress: 'get put transact update',
  updateAddress: 'get update',
  listMembers: 'get query update',
  inviteMember: 'decrypt delete encrypt get put query ses transact update user-pool-create',
  updateMember: 'get query transact update',
  removeMember: 'delete get query transact update',
  acceptInvite: 'decrypt encrypt get put transact update',
  changeEmail: 'decrypt encrypt get put ses update',
  showConfirmEmail: 'decrypt encrypt get put',
  confirmEmail: 'decrypt delete encrypt get put transact update user-pool-update',
  connectBackend: 'decrypt encrypt get put secrets update',
  configureBackend: 'decrypt encrypt get put query secrets update',
  getBackendStatus: 'decrypt get update',
  listBackendProjects: 'decrypt encrypt get put secrets update',
  disconnectBackend: 'decrypt delete get secrets update',
  saveEventWebhook: 'decrypt encrypt get put update',
  getEventWebhook: 'decrypt get query update',
  deleteEventWebhook: 'delete get update',
  testEventWebhook: 'decrypt get to:call-webhooks update',
  receiveTwilioCallback: 'get put query read:digests read:requests secrets to:read-price',
  receiveTelnyxCallback: 'decrypt encrypt get put query read:digests read:requests secrets',
  'administer-accounts':
    'decrypt delete delete:attachments delete:digests delete:inbound delete:media delete:requests encrypt get put query scan transact update user-pool-create user-pool-read',
  dispatch:
    'get put to:answer-texts to:call-webhooks to:collect-digest to:deliver-call to:deliver-chat to:deliver-email to:deliver-inapp to:deliver-push to:deliver-sms to:deliver-web-push to:dispatch-dead to:make-ready',
  'deliver-email':
    'batchGet decrypt encrypt get put query read:digests read:requests secrets ses to:ingest-receipts update',
  'deliver-inapp':
    'batchGet decrypt delete encrypt get put query read:digests read:requests to:ingest-receipts update websocket',
  'deliver-sms':
    'batchGet decrypt encrypt get put query read:digests read:media read:requests secrets text-messages to:ingest-receipts update write:media',
  'deliver-call':
    'batchGet decrypt encrypt get put query read:digests read:requests secrets to:ingest-receipts update voice-messages',
  'deliver-push':
    'batchGet decrypt encrypt get put query read:digests read:requests to:ingest-receipts update',
  'deliver-web-push':
    'batchGet decrypt encrypt get put query read:digests read:requests to:ingest-receipts update',
  'deliver-chat':
    'batchGet decrypt encrypt get put query read:digests read:requests secrets to:ingest-receipts update',
  'collect-digest': 'decrypt delete get put query read:digests read:requests',
  'poll-domains':
    'batchGet decrypt delete due-index encrypt get put query secrets ses ses-identities transact update',
  sweep: 'due-index get query to:make-ready update',
  'make-ready':
    'batchGet decrypt delete delete:attachments delete:digests delete:requests encrypt feed-index get put query read:digests read:requests to:call-webhooks to:collect-digest to:deliver-call to:deliver-chat to:deliver-email to:deliver-inapp to:deliver-push to:deliver-sms to:deliver-web-push transact update websocket-close write:digests write:requests',
  'ingest-mail':
    'batchGet decrypt encrypt get put query read:digests read:inbound read:requests transact write:attachments',
  'ingest-inbound-sms': 'decrypt encrypt get put query read:digests read:requests',
  'answer-texts':
    'get opt-out-list put query read:digests read:requests secrets text-messages to:ingest-receipts update',
  'mail-admins': 'get query secrets ses to:ingest-receipts',
  'ingest-ses': 'decrypt encrypt get put query read:digests read:requests',
  'ingest-phone': 'decrypt encrypt get put query read:digests read:requests',
  'read-price': 'get put query read:digests read:requests secrets',
  'ingest-receipts': 'decrypt encrypt get put read:digests read:requests',
  redrive:
    'decrypt due-index feed-index get query read:digests read:requests to:answer-texts to:call-webhooks to:collect-digest to:deliver-call to:deliver-chat to:deliver-email to:deliver-inapp to:deliver-push to:deliver-sms to:deliver-web-push to:make-ready',
  'call-webhooks': 'decrypt delete get put read:digests read:requests to:call-webhooks to:mail-admins update',
  'websocket-connect': 'decrypt delete get query transact websocket-close',
  'websocket-disconnect': 'delete get',
  'websocket-default': '',
};

/** Grants as one sorted line: `decrypt get query read:requests to:deliver-email`. */
export function lineOf({ table, indexes, keyring, blobs, services, sendsTo }: Grants): string {
  const words = [
    ...(table ?? []),
    ...(indexes ?? []).map((each) => `${each}-index`),
    ...(keyring ?? []),
    ...(blobs?.read ?? []).map((each) => `read:${each}`),
    ...(blobs?.write ?? []).map((each) => `write:${each}`),
    ...(blobs?.delete ?? []).map((each) => `delete:${each}`),
    ...(services ?? []),
    ...(sendsTo ?? []).map((each) => `to:${each}`),
  ];
  return words.sort().join(' ');
}
