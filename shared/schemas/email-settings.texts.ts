/** The meaning of the settings that requests and types have of emails. */
export const EMAIL_SETTING_TEXTS = {
  retryHours:
    'Hours for which the email is tried again after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes.',
  thread:
    'Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters.',
  headers: 'Further headers, at most ten: X-…, Importance, Priority, Sensitivity.',
};
