package orders;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Reads orders as JSON, one a line, and tells what our warehouse wants to know, as one line of JSON.
 *
 * <p>In: {@code {"id": "A1", "placed": "2024-03-05", "lines": [{"sku": "X", "qty": 2, "price": 9.90}]}}
 *
 * <p>Out: {@code {"order_id":"A1","placed":"2024-03-05","total":19.80,"skus":["X"]}}, with its members
 * in this very order. The total is exact and has two decimals; skus are each told once, in the order
 * in which they first come. A member "note" is handed on, as the last one, if the order has one that
 * is neither null nor empty. Members that we don't know are ignored, in orders and in lines.
 *
 * <p>A line that can't be read as an order is answered with {@code {"error":"line N"}}, counted from
 * 1, and the next one is read: it is no JSON, an id, a date or a sku is missing or null, a date is not
 * of the calendar, a quantity is not a whole number of at least 1, a price is missing, null or below 0.
 * An order may have no lines; `lines` may be missing.
 */
public final class Main {
    public static void main(String[] words) throws IOException {
        Orders orders = new Orders();
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(input);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            byte[] answer = orders.answer(line, number).getBytes(StandardCharsets.UTF_8);
            System.out.write(answer, 0, answer.length);
            System.out.write('\n');
        }
        System.out.flush();
    }
}
