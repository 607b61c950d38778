/** Durable harvests: long runs that outlive their process, on one machine or on many. */
export {}
