/** Formats values as text. */

/**
 * Replaces the API's field name at the start of a message by the field's label.
 *
 * @param {string} message such as `newPassword must have 8 to 128 characters.`
 * @param {string} name `newPassword`
 * @param {string} label `New password`
 * @returns {string}
 */
export function fieldMessage(message, name, label) {
  return message.startsWith(`${name} `) ? label + message.slice(name.length) : message;
}
