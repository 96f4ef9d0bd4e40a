// Generated from openapi.json by "npm run generate".
export type AuthToken = string | undefined;
export interface Auth {
    in?: "header" | "query" | "cookie";
    key?: string;
    name?: string;
    scheme?: "basic" | "bearer";
    type: "apiKey" | "http";
}
export const getAuthToken = async (auth: Auth, callback: ((auth: Auth) => Promise<AuthToken> | AuthToken) | AuthToken): Promise<string | undefined> => {
    const token = typeof callback === "function" ? await callback(auth) : callback;
    if (!token) {
        return;
    }
    if (auth.scheme === "bearer") {
        return `Bearer ${token}`;
    }
    if (auth.scheme === "basic") {
        return `Basic ${btoa(token)}`;
    }
    return token;
};
