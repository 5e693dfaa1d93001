/** The meaning of the settings that requests and types have of emails. */
export const EMAIL_SETTING_TEXTS = {
  retryHours:
    'Hours for which the email is tried again after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes.',
};
