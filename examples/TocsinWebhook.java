import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells whether a webhook comes from Tocsin. Java 17 or newer, nothing to install.
 *
 * <pre>{@code
 * byte[] body = request.getInputStream().readAllBytes(); // a servlet, for example
 * if (!TocsinWebhook.isFrom(request::getHeader, body, System.getenv("WEBHOOK_SECRET"), Instant.now())) {
 *     response.setStatus(401);
 *     return;
 * }
 * response.setStatus(204);
 * }</pre>
 */
public final class TocsinWebhook {
    private static final long TOLERANCE_SECONDS = 300;

    private TocsinWebhook() {}

    /**
     * By the headers of Standard Webhooks, which sign the id and the time as well: what somebody recorded and sends
     * again later is refused.
     *
     * @param headers the value of a header by its name, in any case; null where there is none
     * @param body the bytes that came, not parsed
     */
    public static boolean isFrom(UnaryOperator<String> headers, byte[] body, String secret, Instant now) {
        String time = textOf(headers.apply("webhook-timestamp"));
        if (!time.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(time)) > TOLERANCE_SECONDS) return false;
        String head = headers.apply("webhook-id") + "." + time + ".";
        byte[] signature = hmac(keyOf(secret), head.getBytes(StandardCharsets.UTF_8), body);
        String wanted = "v1," + Base64.getEncoder().encodeToString(signature);
        boolean isSame = false;
        // While a secret is being replaced there are two.
        for (String sent : textOf(headers.apply("webhook-signature")).split(" ")) isSame |= isSame(sent, wanted);
        return isSame;
    }

    /** The same by {@code X-Webhook-Signature}, which signs the body alone. Its key is the whole secret. */
    public static boolean hasPlainSignature(UnaryOperator<String> headers, byte[] body, String secret) {
        byte[] key = secret.getBytes(StandardCharsets.UTF_8);
        String wanted = "sha256=" + HexFormat.of().formatHex(hmac(key, new byte[0], body));
        return isSame(textOf(headers.apply("x-webhook-signature")), wanted)
                || isSame(textOf(headers.apply("x-webhook-signature-previous")), wanted);
    }

    /** What the base64 after {@code whsec_} stands for; of a secret that is written otherwise, its UTF-8 bytes. */
    private static byte[] keyOf(String secret) {
        String encoded = secret.startsWith("whsec_") ? secret.substring(6) : "";
        boolean isBase64 = encoded.matches("[A-Za-z0-9+/]+={0,2}") && encoded.length() % 4 == 0;
        return isBase64 ? Base64.getDecoder().decode(encoded) : secret.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hmac(byte[] key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String textOf(String header) {
        return header == null ? "" : header;
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
