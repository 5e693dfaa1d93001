/** Grants that no call of the run depends on, with the reason: functions by action and resource. */
export const UNNEEDED: readonly { reason: string; grants: Readonly<Record<string, string>> }[] = [
  {
    reason: 'Tracking links are in emails sent over SMTP only.',
    grants: {
      'dynamodb:PutItem': 'track-click track-open',
    },
  },
  {
    reason:
      'The deployment’s signing secret exists: the first function that signs creates it with its data key.',
    grants: {
      'dynamodb:PutItem':
        'change-email list-components list-logs list-users show-confirm-email show-preferences-page show-unsubscribe',
      'kms:GenerateDataKey':
        'accept-invite answer-texts change-email confirm-email deliver-call deliver-chat deliver-email deliver-inapp deliver-push deliver-sms deliver-web-push ingest-mail invite-member list-components list-logs list-topic-users list-topics list-user-topics list-users receive-payment-event receive-telnyx-callback save-billing save-preferences-page show-confirm-email show-preferences-page show-unsubscribe track-click track-open unsubscribe',
    },
  },
  {
    reason:
      'Without it, S3 returns 403 instead of 404; files are missing only after they have expired, or if the deletion of a person or an account was interrupted.',
    grants: {
      's3:ListBucket':
        'answer-texts call-webhooks cancel-scheduled collect-digest delete-user deliver-call deliver-chat deliver-email deliver-inapp deliver-push deliver-sms deliver-web-push follow-up get-logs get-logs-bulk ingest-inbound-sms ingest-mail ingest-phone ingest-ses list-logs list-waiting make-ready publish-events receive-telnyx-callback receive-twilio-callback recount-usage redrive reschedule save-preferences-page send send-bulk send-email send-sms send-test-email sender show-preferences-page show-unsubscribe tail-logs track-click track-open unsubscribe',
    },
  },
  {
    reason: 'A digest too large for its item is stored in a file; those of the run are small.',
    grants: {
      's3:DeleteObject digests/*': 'administer-accounts make-ready',
      's3:GetObject digests/*':
        'answer-texts call-webhooks cancel-scheduled collect-digest deliver-call deliver-chat deliver-email deliver-inapp deliver-push deliver-web-push follow-up get-logs-bulk ingest-inbound-sms ingest-mail ingest-ses list-logs list-waiting make-ready receive-telnyx-callback receive-twilio-callback recount-usage reschedule save-preferences-page send send-bulk send-email send-sms send-test-email sender show-preferences-page show-unsubscribe tail-logs track-click track-open unsubscribe',
    },
  },
  {
    reason:
      'The large requests of the run pass through other functions, which read and write them with the same code.',
    grants: {
      's3:GetObject requests/*':
        'call-webhooks get-logs-bulk ingest-inbound-sms ingest-mail receive-telnyx-callback recount-usage save-preferences-page send send-bulk send-email send-sms send-test-email sender show-preferences-page show-unsubscribe track-click track-open unsubscribe',
      's3:PutObject requests/*': 'delete-user send-sms',
    },
  },
  {
    reason:
      'The run attaches no file to a text message and lets no log expire; deleting users and types has deleted most files before the account is deleted.',
    grants: {
      'cognito-idp:AdminGetUser': 'administer-accounts',
      'kms:Decrypt': 'administer-accounts',
      's3:DeleteObject attachments/*': 'administer-accounts make-ready',
      's3:DeleteObject inbound/*': 'administer-accounts',
      's3:DeleteObject media/*': 'administer-accounts',
      's3:DeleteObject requests/*': 'make-ready',
      's3:GetObject media/*': 'deliver-sms',
      's3:PutObject media/*': 'deliver-sms',
    },
  },
  {
    reason: 'Secrets are read only to call the provider, which is a sandbox here or has none.',
    grants: {
      'secretsmanager:GetSecretValue':
        'answer-texts configure-backend connect-backend deliver-call deliver-chat deliver-email deliver-sms disconnect-backend list-backend-projects list-chat-channels poll-domains',
    },
  },
  {
    reason:
      'The service itself sends no attachments, and a reminder only after a domain has lacked its records for a day.',
    grants: {
      'ses:SendEmail configuration-set': 'change-email invite-member poll-domains',
      'ses:SendEmail identity': 'poll-domains',
      'ses:SendRawEmail configuration-set': 'change-email follow-up invite-member poll-domains',
      'ses:SendRawEmail identity': 'change-email follow-up invite-member poll-domains',
    },
  },
  {
    reason: 'The domain of the run is verified at its first check, and no other account has it.',
    grants: {
      'dynamodb:ConditionCheckItem': 'delete-domain poll-domains',
      'dynamodb:Query': 'poll-domains',
      'ses:PutEmailIdentityDkimSigningAttributes identity': 'poll-domains',
    },
  },
  {
    reason:
      'The phone number of the run is a plain one: no pool, no sender ID, no media, no keyword, no lookup of the carrier.',
    grants: {
      'sms-voice:CarrierLookup': 'answer-texts deliver-sms',
      'sms-voice:DeleteOptedOutNumber opt-out-list': 'answer-texts',
      'sms-voice:PutOptedOutNumber opt-out-list': 'answer-texts',
      'sms-voice:SendMediaMessage configuration-set': 'answer-texts deliver-sms',
      'sms-voice:SendMediaMessage phone-number': 'answer-texts deliver-sms',
      'sms-voice:SendMediaMessage pool': 'answer-texts deliver-sms',
      'sms-voice:SendMediaMessage protect-configuration': 'answer-texts deliver-sms',
      'sms-voice:SendMediaMessage sender-id': 'answer-texts deliver-sms',
      'sms-voice:SendTextMessage pool': 'answer-texts deliver-sms',
      'sms-voice:SendTextMessage protect-configuration': 'answer-texts deliver-sms',
      'sms-voice:SendTextMessage sender-id': 'answer-texts deliver-sms',
      'sms-voice:SendVoiceMessage pool': 'deliver-call',
      'sms-voice:SendVoiceMessage protect-configuration': 'deliver-call',
      'sms-voice:SendVoiceMessage sender-id': 'deliver-call',
    },
  },
  {
    reason: 'Handlers of a queue delay a message that has failed; Lambda itself needs no such permission.',
    grants: {
      'sqs:ChangeMessageVisibility answer-texts.fifo': 'answer-texts',
      'sqs:ChangeMessageVisibility call-webhooks': 'call-webhooks',
      'sqs:ChangeMessageVisibility collect-digest.fifo': 'collect-digest',
      'sqs:ChangeMessageVisibility deliver-call.fifo': 'deliver-call',
      'sqs:ChangeMessageVisibility deliver-chat.fifo': 'deliver-chat',
      'sqs:ChangeMessageVisibility deliver-email.fifo': 'deliver-email',
      'sqs:ChangeMessageVisibility deliver-inapp.fifo': 'deliver-inapp',
      'sqs:ChangeMessageVisibility deliver-push.fifo': 'deliver-push',
      'sqs:ChangeMessageVisibility deliver-sms.fifo': 'deliver-sms',
      'sqs:ChangeMessageVisibility deliver-web-push.fifo': 'deliver-web-push',
      'sqs:ChangeMessageVisibility follow-up': 'follow-up',
      'sqs:ChangeMessageVisibility ingest-inbound-sms': 'ingest-inbound-sms',
      'sqs:ChangeMessageVisibility ingest-mail': 'ingest-mail',
      'sqs:ChangeMessageVisibility make-ready': 'make-ready',
      'sqs:ChangeMessageVisibility publish-events': 'publish-events',
    },
  },
  {
    reason: 'Granted twice: for records that a batch could not read, and to Lambda for batches that failed.',
    grants: {
      'sqs:SendMessage dispatch-dead': 'dispatch',
    },
  },
  {
    reason:
      'Used when the provider or a webhook fails or is slow, when it sends no receipts, and for the parts of a notification that wait.',
    grants: {
      'dynamodb:BatchGetItem':
        'deliver-call deliver-chat deliver-inapp deliver-push deliver-sms deliver-web-push',
      'dynamodb:ConditionCheckItem': 'make-ready',
      'dynamodb:DeleteItem': 'call-webhooks collect-digest deliver-inapp make-ready',
      'dynamodb:Query': 'call-webhooks',
      'dynamodb:Query index/feed': 'make-ready',
      'dynamodb:UpdateItem':
        'answer-texts deliver-chat deliver-email deliver-inapp deliver-push deliver-web-push',
      'execute-api:ManageConnections': 'make-ready',
      'kms:Decrypt': 'answer-texts follow-up redrive',
      'sqs:GetQueueAttributes deliver-call.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-chat.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-email.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-inapp.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-push.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-sms.fifo': 'make-ready',
      'sqs:GetQueueAttributes deliver-web-push.fifo': 'make-ready',
      'sqs:SendMessage answer-texts.fifo': 'dispatch redrive',
      'sqs:SendMessage call-webhooks': 'make-ready redrive',
      'sqs:SendMessage collect-digest.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-call.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-chat.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-email.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-inapp.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-push.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-sms.fifo': 'make-ready redrive',
      'sqs:SendMessage deliver-web-push.fifo': 'make-ready redrive',
      'sqs:SendMessage follow-up':
        'answer-texts call-webhooks deliver-call deliver-chat deliver-email deliver-inapp deliver-push deliver-sms follow-up poll-domains',
      'sqs:SendMessage make-ready':
        'deliver-call deliver-chat deliver-email deliver-inapp deliver-push deliver-sms deliver-web-push redrive',
    },
  },
  {
    reason:
      'Used on a branch that the run does not take: another page, a component in a template, a concurrent change, a stored secret that is read again.',
    grants: {
      'dynamodb:BatchGetItem':
        'cancel-scheduled create-component create-template open-all-inapp preview-template update-component update-template',
      'dynamodb:ConditionCheckItem': 'create-address create-component update-component update-member',
      'dynamodb:DeleteItem':
        'add-topic-users create-template invite-member lift-suppression list-chat-channels mark-inapp open-all-inapp revoke-api-key update-template websocket-connect',
      'dynamodb:PutItem':
        'delete-type list-chat-channels list-topic-users list-topics list-user-topics recount-usage save-provider-order send-bulk',
      'dynamodb:Query':
        'cancel-scheduled configure-backend create-component create-template dispatch get-account-organization ingest-mail ingest-ses list-users preview-template receive-twilio-callback sweep update-template',
      'dynamodb:Query index/due': 'recount-usage',
      'dynamodb:UpdateItem': 'save-preferences-page',
      'execute-api:ManageConnections': 'delete-user websocket-connect',
      'kms:Decrypt':
        'ingest-inbound-sms ingest-mail ingest-phone ingest-ses list-components list-logs list-topic-users list-topics list-user-topics receive-payment-event receive-telnyx-callback receive-twilio-callback revoke-api-key save-billing save-provider-order send-bulk send-test-email sender',
    },
  },
];
